"""No value that a type of Spark can hold decides whether a question fails, and nor does a table without rows."""

from functools import partial

import pytest

from noisewise import Dataset
from tests.tables.extremes import check_alike, questions
from tests.tables.spark import session

LEAST, MOST = "-9223372036854775808L", "9223372036854775807L"
FAR = [LEAST, MOST]
FAR_DAYS = ["date_from_unix_date(2147483647)", "date_from_unix_date(-2147483648)", "DATE'0001-01-01'"]
FAR_TIMES = [f"timestamp_micros({each})" for each in FAR]
ENDS = ["'NaN'", "'Infinity'", "'-Infinity'", "-0.0", "1.7976931348623157e308"]
TYPES: dict[str, tuple[str, list[str]]] = {
    "boolean": ("true", ["false"]),
    "tinyint": ("1", ["-128", "127"]),
    "smallint": ("1", ["-32768", "32767"]),
    "int": ("1", ["-2147483648", "2147483647"]),
    "bigint": ("1", FAR),
    "float": ("1", [*ENDS[:-1], "1.4e-45", "3.4028235e38"]),
    "double": ("1", [*ENDS, "5e-324"]),
    "decimal(38,0)": ("1", ["9" * 38, "-" + "9" * 38]),
    "decimal(38,38)": ("0.1", ["0." + "9" * 38, "-0." + "9" * 38]),
    "decimal(18,2)": ("1", ["9999999999999999.99", "-0.01"]),
    "string": ("'a'", ["''", "repeat('é', 70000)", "'NaN'", "'1e400'"]),
    "char(9)": ("'a'", ["''"]),
    "binary": ("X'61'", ["X'FF00'", "X''"]),
    "date": ("DATE'2020-01-01'", FAR_DAYS),
    "timestamp": ("TIMESTAMP'2020-01-01'", FAR_TIMES),
    "timestamp_ntz": ("TIMESTAMP_NTZ'2020-01-01'", FAR_TIMES),
    "interval day to second": (
        "INTERVAL '1' DAY",
        ["make_dt_interval(106751991)", "make_dt_interval(-106751991)"],
    ),
    "interval year to month": ("INTERVAL '1' MONTH", ["make_ym_interval(178956970, 7)"]),
    "interval": ("make_interval(1)", ["make_interval(178956970, 0, 0, 2147483647)"]),
    "array<bigint>": ("array(1L)", [f"array({LEAST}, NULL)", "array()"]),
    "array<timestamp>": ("array(TIMESTAMP'2020-01-01')", [f"array({FAR_TIMES[0]})"]),
    "map<string,date>": ("map('a', DATE'2020-01-01')", [f"map('a', {FAR_DAYS[0]})"]),
    "struct<a:timestamp>": (
        "named_struct('a', TIMESTAMP'2020-01-01')",
        [f"named_struct('a', {FAR_TIMES[1]})"],
    ),
    "variant": ("parse_json('1')", ["parse_json('null')", "parse_json('1e300')"]),
}
ASKED = {"count", "count of another", "median of another", "count of it", "sum", "groups of [0, 1]", "people"}


def table(kind: str, values: list[str]) -> partial[Dataset]:
    rows = [
        f"SELECT CAST({each} AS {kind}) AS t, CAST({index % 3} AS double) AS x"
        for index, each in enumerate(values)
    ]
    return partial(Dataset, session().sql(" UNION ALL ".join(rows)))


@pytest.mark.parametrize("kind", TYPES)
def test_no_value_of_a_type_of_spark_makes_a_question_fail(kind: str) -> None:
    plain, extreme = TYPES[kind]
    opened = [table(kind, [*values, "NULL"]) for values in ([plain] * len(extreme), extreme)]
    empty = partial(
        Dataset, session().sql(f"SELECT * FROM (SELECT CAST(NULL AS {kind}) AS t, 1D AS x) WHERE x > 1")
    )
    asked = (each for each in questions() if each[0] in ASKED or each[0].startswith("median as"))
    check_alike(asked, *opened, empty)
