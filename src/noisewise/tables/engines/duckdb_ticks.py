"""Ticks in DuckDB: the whole numbers that a column of dates or times is kept in, by expressions that cannot fail.

DuckDB's own conversions raise at a single record: at seconds and milliseconds that 64 bits cannot hold as microseconds,
and at the text of a time at the end of its calendar, which even takes the user's database down. Hence only times that
are not so far are converted, and all others, infinite ones too, are read off their sort keys: the eight bytes of the
number, highest first and its sign turned round, as 16 hexadecimal digits. (``TRY`` would do instead, but some versions
of DuckDB mix rows up where it stands within a ``CASE``.)
"""

from noisewise.tables.time.ticks import DAILY

UNITS = {"DATE": "day", "TIMESTAMP_S": "s", "TIMESTAMP_MS": "ms", "TIMESTAMP_NS": "ns", "TIME_NS": "ns"}
"""Of DuckDB's types; those that are not here count microseconds."""

READ = {
    "DATE": "{0} - DATE '1970-01-01'",
    "TIMESTAMP_NS": "epoch_ns({0})",
    "TIME_NS": "epoch_ns({0})",
}
COARSE = {"TIMESTAMP_S": 10**6, "TIMESTAMP_MS": 10**3}
"""How many microseconds are a tick that is more than one."""

FARTHEST = 2**62
"""So many microseconds from 1970 are surely held by an integer of 64 bits."""

DIGITS = "right(hex(create_sort_key({0}, 'ASC NULLS LAST')), 16)"
OFF_THE_KEY = f"CAST(CAST(TRY_CAST('0x' || {DIGITS} AS UBIGINT) AS HUGEINT) - {2**63} AS BIGINT)"


def per_day(declared: str) -> int:
    """How many ticks of a type make a day."""
    return DAILY[UNITS.get(declared, "us")]


def raw_ticks(declared: str, quoted: str) -> str:
    """The whole number of every record that is there: two are the same where the records are."""
    read = READ.get(declared, "epoch_us({0})").format(quoted)
    if times := COARSE.get(declared):
        ends = [
            f"CAST(make_timestamp({end // times * times}) AS {declared})" for end in (-FARTHEST, FARTHEST)
        ]
        near = f"CASE WHEN {quoted} BETWEEN {ends[0]} AND {ends[1]} THEN {quoted} END"
        read = f"epoch_us({near}) // {times}"
    if not declared.startswith("TIMESTAMP"):
        return f"CAST({read} AS BIGINT)"
    return f"CASE WHEN {quoted} IS NOT NULL THEN coalesce({read}, {OFF_THE_KEY.format(quoted)}) END"


def finite(declared: str, quoted: str) -> str:
    """Those numbers without the two that mean infinity, which is missing."""
    if declared.startswith("TIME") and not declared.startswith("TIMESTAMP"):
        return quoted
    endless = 2**31 - 1 if declared == "DATE" else 2**63 - 1
    return f"CASE WHEN {quoted} NOT IN ({endless}, {-endless}) THEN {quoted} END"


def floored(quoted: str, by: int) -> str:
    """Divided, and cut downwards: DuckDB cuts towards zero, which is wrong before 1970."""
    return f"{quoted} // {by} - CASE WHEN {quoted} % {by} < 0 THEN 1 ELSE 0 END"


def divided(quoted: str, by: int) -> str:
    """Divided where nothing remains; missing elsewhere."""
    return f"CASE WHEN {quoted} % {by} = 0 THEN {quoted} // {by} END"
