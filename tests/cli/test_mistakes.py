"""Every mistake with options is told in one line, in the words of options, with the fix and a code that stays."""

import shlex

import polars as pl
import pytest

from tests.cli.mistakes import told
from tests.cli.running import data, rows

MEDIAN = "median data.csv --column income --bounds 0 100 --epsilon 1"
TYPED = "median t.parquet --column income --bounds 0 100 --epsilon 1"
FOUND = "--by dept --key-epsilon 1 --key-delta 1e-6"
PEARSON = "pearson t.parquet --x height --epsilon 1"
BOTH = "data.csv --columns height,weight --epsilon 1"
WHEN = "median t.parquet --column hired --epsilon 1"
EDGES = "triangles data.csv --edges source,target --epsilon 1"
WRONG_FLAG = "No such option: "

MISTAKES = {
    # what is missing, unknown or said twice
    "median": (2, "Missing argument 'FILE'; noisewise median --help tells more"),
    "median data.csv --bounds 0 1 --epsilon 1": (
        2,
        "Missing option '--column'; noisewise median --help tells more",
    ),
    "median data.csv --column income --epsilon 1": (2, "Missing option '--bounds'"),
    "median data.csv --column income --bounds 0 1": (
        2,
        "--epsilon or --rho must be given, exactly one of them, got neither",
    ),
    "median data.csv --column income --bounds 0 1 --epsilon": (2, "Option '--epsilon' requires an argument"),
    "quantile data.csv --column income --bounds 0 1 --epsilon 1": (2, "Missing option '--q'"),
    "mdian data.csv": (2, "No such command 'mdian'. Did you mean 'median'"),
    f"{MEDIAN} --sharpness 5": (2, f"{WRONG_FLAG}--sharpness"),
    "median data.csv --colum income --bounds 0 1 --epsilon 1": (2, "(Possible options: --column)"),
    f"covariance {BOTH} --bounds 0 1 --column a": (2, "--columns"),
    "median data.csv --column income --bounds 0 1 --eps 1": (
        2,
        f"{WRONG_FLAG}--eps; did you mean --epsilon NUMBER?; noisewise median --help tells more",
    ),
    "median data.csv --column income --lower 0 --upper 1 --epsilon 1": (
        2,
        f"{WRONG_FLAG}--lower; did you mean --bounds LOW HIGH?",
    ),
    f"{MEDIAN} --group-by dept": (2, f"{WRONG_FLAG}--group-by; did you mean --by COLUMN?"),
    f"{MEDIAN} --sep ;": (2, f"{WRONG_FLAG}--sep; did you mean --separator SIGN?"),
    "count data.csv --epsilon 1 --lower 0": (2, f"{WRONG_FLAG}--lower"),
    "median t.parquet --column drink --bounds 2024-01-01 2025-01-01 --epsilon 1": (
        3,
        "--column must have a type of dates, times or durations, got column 'drink' of text; save it as dates",
    ),
    f"{EDGES} --nodes 20 --by dept": (2, f"{WRONG_FLAG}--by"),
    f"{MEDIAN} --epsilon 2": (2, "--epsilon must be said once, got it 2 times"),
    f"{MEDIAN} --max_groups 2 --max-groups 2": (2, "--max-groups must be said once, got it 2 times"),
    f"{MEDIAN} --bounds 0 2": (2, "--bounds must be said once for median, got 2 pairs"),
    f"{MEDIAN} more.csv": (
        2,
        "unexpected word 'more.csv'; several files are a pattern in quotes, as in 'data-*.csv'",
    ),
    # numbers
    "median data.csv --column income --bounds 100 0 --epsilon 1": (
        2,
        "--bounds must have lowest < highest, got 100 0",
    ),
    "median data.csv --column income --bounds 5 5 --epsilon 1": (
        2,
        "--bounds must have lowest < highest, got 5 5",
    ),
    "median data.csv --column income --bounds 0 --epsilon 1": (
        2,
        "--bounds must be two, as in --bounds 0 100, got '0'",
    ),
    "median data.csv --column income --bounds '' --epsilon 1": (
        2,
        "--bounds must be two, as in --bounds 0 100, got ''",
    ),
    "median data.csv --column income --bounds low high --epsilon 1": (
        2,
        "--bounds must be a number such as 100",
    ),
    "median data.csv --column income --bounds 0 inf --epsilon 1": (
        2,
        "the upper end of --bounds must be finite, got inf",
    ),
    "gini data.csv --column income --bounds -5 5 --epsilon 1": (
        2,
        "the lower end of --bounds must be at least 0 for gini",
    ),
    "quantiles data.csv --column age --qs 0.5 --bounds private --epsilon 1": (
        2,
        "--bounds must be two numbers, the lowest and the highest, that you know without looking at the data, got "
        "'private': noisewise private-bounds finds them",
    ),
    "median data.csv --column age --bounds 0 9 --epsilon 0": (
        2,
        "--epsilon must be above 0 and at most 64, got 0",
    ),
    "median data.csv --column age --bounds 0 9 --epsilon one": (
        2,
        "--epsilon must be a number such as 100, 0.5 or 1/3",
    ),
    "median data.csv --column age --bounds 0 9 --epsilon nan": (2, "--epsilon must be finite, got nan"),
    f"{MEDIAN} --granularity 99": (2, "--granularity must be at most half the range 0 .. 100, got 99"),
    f"{MEDIAN} --granularity 1e-40": (2, "for the range 0 .. 100, got 1E-40"),
    f"{MEDIAN} --bounds-share 1/2": (2, "--bounds-share must be left out unless bounds are private, got 1/2"),
    f"{MEDIAN} --mechanism magic": (
        2,
        "--mechanism must be one of auto, balance, gaussian, gaussian_balance, inverse_sensitivity",
    ),
    "quantile data.csv --column age --q 90 --bounds 0 9 --epsilon 1": (
        2,
        "--q must be between 0 and 1, got 90; for 90% say",
    ),
    "quantiles data.csv --column age --qs 0.5,x --bounds 0 9 --epsilon 1": (
        2,
        "--qs must be a number such as",
    ),
    "trimmed-mean data.csv --column age --alpha 0.7 --bounds 0 9 --epsilon 1": (
        2,
        "--alpha must be below 1/2, got 0.7",
    ),
    "histogram data.csv --column age --bins 5,3 --epsilon 1": (
        2,
        "--bins must have edges that rise, got 5 before 3",
    ),
    "ecdf data.csv --column age --steps 0 --bounds 0 9 --epsilon 1": (2, "--steps must be"),
    f"vector-mean {BOTH} --bounds 0 9 --norm linf --radius 3": (
        2,
        "--radius must be left out with --norm linf",
    ),
    f"principal-component {BOTH} --bounds 0 9 --toward 1": (
        2,
        "--toward must have a number for each of 2 columns, got 1",
    ),
    # whose records they are
    f"{MEDIAN} --neighbors swop": (2, "--neighbors must be add_remove or swap, got 'swop'"),
    f"{MEDIAN} --neighbors swap": (2, "--neighbors must be add_remove for a text file, got swap"),
    f"{TYPED} --neighbors swap --contributions 2": (2, "use --neighbors add_remove"),
    f"{TYPED} --neighbors swap --unit person": (2, "--neighbors must be add_remove with a unit, got swap"),
    f"{MEDIAN} --contributions 0": (2, "--contributions must be at least 1, got 0"),
    f"{MEDIAN} --contributions 1.5": (2, "--contributions must be a whole number, got '1.5'"),
    f"{MEDIAN} --unit persona": (3, "got 'persona'; did you mean 'person'?"),
    f"{TYPED} --unit tags": (
        3,
        "--unit must be a column of text, numbers, booleans or dates, got column 'tags'",
    ),
    f"{EDGES} --nodes 20 --unit person": (
        3,
        "--unit must be left out for a graph, whose edges are the records",
    ),
    # groups
    f"{MEDIAN} --by dept": (
        2,
        "--keys must say which groups there are, known without looking at the data, as in --keys a,b,c; or "
        "--key-epsilon or --key-rho, and --key-delta, at what cost to find out",
    ),
    f"{MEDIAN} --by dept --key-epsilon 1": (2, "--keys must say which groups there are"),
    f"{MEDIAN} --by dept --key-delta 1e-6": (2, "--keys must say which groups there are"),
    f"{MEDIAN} --by dept --keys ''": (2, "--keys must be a list such as a,b,c, got ''"),
    f"{MEDIAN} --by dept --keys A,A": (2, "--keys must differ from each other, got 'A' and 'A'"),
    f"{MEDIAN} --by dept --keys A --keys B": (
        2,
        "--keys must be said once for each column, as in --keys a,b, got 'A'",
    ),
    f"{MEDIAN} --keys A": (
        2,
        "--by must name the columns that make groups, as in --by dept --keys a,b,c, got --keys alone",
    ),
    f"{MEDIAN} --unit person --max-groups 3": (2, "as in --by dept --keys a,b,c, got --max-groups alone"),
    f"{MEDIAN} --by dept --keys A --max-groups 2": (2, "--max-groups must be left out without a unit, got 2"),
    f"{MEDIAN} --unit person --per-group 3": (2, "as in --by dept --keys a,b,c, got --per-group alone"),
    f"{MEDIAN} --by dept --keys A --per-group 2": (2, "--per-group must be left out without a unit, got 2"),
    f"{MEDIAN} --unit person --by dept --keys A --per-group 0": (2, "--per-group must be at least 1, got 0"),
    f"{MEDIAN} --unit person --by dept --keys A --per-group x": (2, "--per-group must be a whole number"),
    f"{MEDIAN} --by dpt --keys A": (3, "got 'dpt'; did you mean 'dept'?"),
    f"{MEDIAN} --by dept,year --keys A": (3, "--by must be said for each column: --by dept --by year"),
    f"{MEDIAN} --by dept --by dept --keys A": (2, "--by must name different columns, got 'dept' and 'dept'"),
    f"{MEDIAN} --by dept --by year --keys A": (2, "as in --keys dept=a,b --keys year=a,b, got 'A'"),
    f"{MEDIAN} --by dept --by year --keys dept=A": (
        2,
        "--keys must have a list for each of dept, year, got one for dept",
    ),
    f"{TYPED} --by tags --keys a": (
        3,
        "--by must be of text, whole or other numbers, booleans, dates or times",
    ),
    f"{TYPED} --by year --keys A": (2, "--keys must be whole numbers, as the column holds, got 'A'"),
    f"{TYPED} --by dept --keys A --neighbors swap": (
        2,
        "--neighbors must be add_remove for groups, got swap",
    ),
    f"{MEDIAN} {FOUND} --keys A": (
        2,
        "--key-delta must be left out where --keys are said: it pays for finding the groups",
    ),
    f"{MEDIAN} {FOUND} --contributions 2": (
        2,
        "--unit must be given to find groups where a person may own 2 rows",
    ),
    f"{MEDIAN} --by dept --key-epsilon 0 --key-delta 1e-6": (
        2,
        "--key-epsilon must be above 0 and at most 64, got 0",
    ),
    f"{MEDIAN} --by dept --key-epsilon 1 --key-delta 2": (
        2,
        "--key-delta must be above 0 and below 1, got 2",
    ),
    f"{MEDIAN} --by dept --key-epsilon x --key-delta 1e-6": (2, "--key-epsilon must be a number such as"),
    # columns, and what they hold
    "median data.csv --column incom --bounds 0 1 --epsilon 1": (
        3,
        "--column must be one of 'person', 'dept', 'year'",
    ),
    f"{PEARSON} --y wight --bounds 0 1": (3, "--y must be one of 'person'"),
    f"{PEARSON} --y drink --bounds 0 1": (3, "--y must be numbers, got column 'drink' of text"),
    f"{PEARSON} --y weight --bounds 0 1 --bounds 0 1 --bounds 0 1": (
        2,
        "--bounds must be said once for both columns, or once",
    ),
    f"{PEARSON} --y weight --bounds private": (
        2,
        "--bounds must be a pair for a question about several columns",
    ),
    "covariance data.csv --columns height,wight --bounds 0 1 --epsilon 1": (3, "--columns must be one of"),
    "covariance data.csv --columns '' --bounds 0 1 --epsilon 1": (
        2,
        "--columns must be a list such as a,b,c, got ''",
    ),
    "principal-component data.csv --columns age --bounds 0 1 --epsilon 1": (
        2,
        "--columns must have from 2 to 64 columns, got 1",
    ),
    "sum t.parquet --column drink --bounds 0 1 --epsilon 1": (
        3,
        "--column must be numbers, got column 'drink' of text; for text there are",
    ),
    "median t.parquet --column tags --bounds 0 1 --epsilon 1": (
        3,
        "--column must be numbers, got column 'tags' of type List",
    ),
    "most-common t.parquet --column year --categories tea --epsilon 1": (
        2,
        "--categories must be whole numbers",
    ),
    f"{WHEN} --bounds 0 1": (3, "--bounds must be dates, as 2000-01-31, for the column 'hired', by its type"),
    f"{WHEN} --bounds 2021-01-01 2020-01-01": (
        2,
        "--bounds must have lowest < highest, got 2021-01-01 2020-01-01",
    ),
    f"{WHEN} --bounds 2020-01-01 5": (
        2,
        "--bounds must both be dates, datetimes with or without a time zone",
    ),
    f"{WHEN} --bounds 2020-01-01 2021-01-01 --granularity 5": (
        2,
        "--granularity must be a duration such as 7d or 12h",
    ),
    f"{WHEN} --bounds 2020-02-30 2021-01-01": (2, "--bounds must be a date that exists, got '2020-02-30'"),
    "median t.parquet --column year --bounds 2020-01-01 2021-01-01 --epsilon 1": (
        3,
        "--bounds must be numbers, for the column 'year', by its type, got dates",
    ),
    # graphs
    EDGES: (2, "--nodes must be given for an edge list: their number, or a list of them"),
    f"{EDGES} --nodes 0": (2, "--nodes must be more for triangles, got 0"),
    f"{EDGES} --nodes 99999999": (2, "--nodes must be at most 4,194,304 in a text file"),
    "triangles data.csv --edges source --nodes 20 --epsilon 1": (
        3,
        "--edges must be two columns, got 1",
    ),
    "triangles data.csv --edges source,targt --nodes 20 --epsilon 1": (3, "--edges must be one of"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("mistakes")
    data(found)
    hired = pl.Series(["2024-02-29"] * 60).str.to_date()
    pl.DataFrame(rows()).with_columns(tags=pl.Series([["a"]] * 60), hired=hired).write_parquet(
        found / "t.parquet"
    )
    return found


@pytest.mark.parametrize("typed", MISTAKES)
def test_a_mistake_is_told_in_the_words_of_options(folder, monkeypatch, typed):
    monkeypatch.chdir(folder)
    code, said = MISTAKES[typed]
    assert said in told(code, *shlex.split(typed))
