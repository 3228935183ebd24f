"""Dates, times and durations in text files, in the forms of ISO 8601. Other text is missing.

    date        2015-01-05; a datetime counts as its day
    datetime    2015-01-05T08:30, 2015-01-05 08:30:00.123456+02:00; a date counts as its midnight
    zoned       the same texts as a datetime
    time        08:30, 08:30:00.5, T08:30Z
    duration    P1DT2H3M4.5S, PT90M, -P2W, or hours, minutes and seconds: 36:05:00

A datetime or a time may end in a time zone: ``Z``, ``+02:00``, ``+0200`` or ``+02``. Everything is converted to UTC,
and a time without a zone is in UTC already. The day of a date is in UTC, too: 2015-01-05T23:30-02:00 is on the sixth. A
``T`` or a space separates date and time. ``T`` and ``Z`` may be small letters, the hyphens of a date and the colons of
a time may be left out, and a comma may stand for the point.

Years are 0001 to 9999, times of day end before 24:00, and numbers in durations have up to 7 digits, seconds 9. Spaces
around the text are ignored, and so are digits beyond the microsecond. One regular expression decides, and returns the
parts of the text. The computation of DuckDB on these parts cannot fail at any text.
"""

from noisewise.tables.time.ticks import Kind

SPACE = r" \t\r\n\f\v"
YEAR = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
HOUR, SIXTY, FRACTION = "([01][0-9]|2[0-3])", "([0-5][0-9])", "(?:[.,]([0-9]+))?"
CLOCK_TIME = f"{HOUR}:?{SIXTY}(?::?{SIXTY}{FRACTION})?"
ZONE = f"(?:[Zz]|([+-]){HOUR}(?::?{SIXTY})?)?"
MOMENT = f"({YEAR}-[0-9]{{2}}-[0-9]{{2}}|{YEAR}[0-9]{{4}})(?:[Tt ]{CLOCK_TIME}{ZONE})?"
LETTERS = (
    "P(?:([0-9]{1,7})W)?(?:([0-9]{1,7})D)?"
    f"(?:T(?:([0-9]{{1,7}})H)?(?:([0-9]{{1,7}})M)?(?:([0-9]{{1,9}}){FRACTION}S)?)?"
)
COLONS = f"([0-9]{{1,7}}):{SIXTY}:{SIXTY}{FRACTION}"
WRITTEN: dict[Kind, str] = {
    "date": MOMENT,
    "datetime": MOMENT,
    "zoned": MOMENT,
    "time": f"[Tt]?{CLOCK_TIME}{ZONE}",
    "duration": f"([+-]?)(?:{LETTERS}|{COLONS})",
}
CLOCK, AHEAD = ("hour", "minute", "second", "fraction"), ("sign", "hours", "minutes")
PARTS: dict[Kind, tuple[str, ...]] = {
    "date": ("day", *CLOCK, *AHEAD),
    "datetime": ("day", *CLOCK, *AHEAD),
    "zoned": ("day", *CLOCK, *AHEAD),
    "time": (*CLOCK, *AHEAD),
    "duration": ("sign", "weeks", "days", *CLOCK, "hours", "minutes", "seconds", "rest"),
}
"""The parts in the brackets of a pattern, in order. A part that the text does not have is empty."""

SECOND, DAYLONG = 1_000_000, 86_400_000_000


def parts_of_text(quoted: str, kind: Kind) -> str:
    """A column of text in DuckDB as its parts. All parts are empty if the text is no such time."""
    names = ", ".join(f"'{name}'" for name in ("whole", *PARTS[kind]))
    return f"regexp_extract(trim({quoted}, E'{SPACE}'), '^({WRITTEN[kind]})$', [{names}])"


def ticks_of_parts(quoted: str, kind: Kind) -> str:
    """The parts as one number: days since 1970 for dates, and microseconds otherwise (since 1970 or midnight)."""
    text = f"CASE WHEN length({quoted}.day) = 8 THEN {_hyphens(quoted)} ELSE {quoted}.day END"
    days = f"date_diff('day', DATE '1970-01-01', TRY_CAST({text} AS DATE))"
    clock = _added(quoted, {"hour": 3600 * SECOND, "minute": 60 * SECOND, "second": SECOND}, "fraction")
    ahead = _added(quoted, {"hours": 3600 * SECOND, "minutes": 60 * SECOND})
    weeks = _added(quoted, {"weeks": 7 * DAYLONG, "days": DAYLONG})
    watch = _added(quoted, {"hours": 3600 * SECOND, "minutes": 60 * SECOND, "seconds": SECOND}, "rest")
    sign = f"CASE WHEN {quoted}.sign = '-' THEN -1 ELSE 1 END"
    in_utc = f"{clock} - {sign} * ({ahead})"  # never more than a day before midnight
    ticks: dict[Kind, str] = {
        "date": f"{days} + ({in_utc} + {DAYLONG}) // {DAYLONG} - 1",
        "datetime": f"{days} * {DAYLONG} + {in_utc}",
        "zoned": f"{days} * {DAYLONG} + {in_utc}",
        "time": f"({in_utc} + {DAYLONG}) % {DAYLONG}",
        "duration": f"{sign} * ({weeks} + {clock} + {watch})",
    }
    ending = (
        f"right({quoted}.whole, 1)"  # empty if the text is no time; a duration without numbers ends in P or T
    )
    return f"CASE WHEN {ending} NOT IN ('', 'P', 'T') THEN {ticks[kind]} END"


def _hyphens(quoted: str) -> str:
    return f"left({quoted}.day, 4) || '-' || substring({quoted}.day, 5, 2) || '-' || right({quoted}.day, 2)"


def _added(quoted: str, micros: dict[str, int], fraction: str | None = None) -> str:
    """The sum of parts in microseconds. An empty part is 0."""
    parts = [f"coalesce(TRY_CAST({quoted}.{name} AS BIGINT), 0) * {size}" for name, size in micros.items()]
    if fraction is not None:
        digits = f"rpad(left({quoted}.{fraction}, 6), 6, '0')"
        parts.append(f"coalesce(TRY_CAST({digits} AS BIGINT), 0)")
    return " + ".join(parts)
