"""Every mistake with files and ledgers is told in one line, with the fix and a code that stays."""

import shlex

import pytest

from noisewise.kernel.losses import ZCDP, PureDP
from noisewise.ledger.ledger import Ledger
from tests.cli.mistakes import told
from tests.cli.running import data, invoke

ASK = "--column a --bounds 0 9 --epsilon 1"
FORMATS = "one of parquet, csv, tsv, arrow, jsonl"
FILES = {
    "empty.csv": b"",
    "empty.parquet": b"",
    "junk.parquet": b"\xff" + bytes(range(256)) * 8,
    "junk.arrow": b"junk",
    "capitals.jsonl": b'{"a": 1}\n',
    "list.json": b'[{"a": 1}]',
    "data.xlsx": b"PK",
    "noending": b"a,b\n1,2\n",
    "twice.csv": b"a,A\n1,2\n",
    "semicolons.csv": b"a;b\n1;2\n",
    "latin.csv": "größe,b\n1,2\n".encode("latin-1"),
    "one-1.csv": b"a\n1\n",
    "one-2.csv": b"b\n1\n",
    "keys.txt": b"",
    "keys.bin": b"\xff\xfe\x00",
    "pairs.txt": b"A,2023\nB\n",
    "no.json": b"{}",
}
HEADER = "must be the names of the columns, as UTF-8"
MISTAKES = {
    f"median none.csv {ASK}": (
        3,
        "FILE must be a file that can be read, got 'none.csv': there is no such file",
    ),
    f"median 'none-*.csv' {ASK}": (3, "got 'none-*.csv': no file has such a name"),
    f"median folder {ASK}": (3, "FILE must be a file, got the folder 'folder'; its files are 'folder/*.csv'"),
    f"median empty.csv {ASK}": (3, "FILE must not be empty, got 'empty.csv'"),
    f"median empty.parquet {ASK}": (3, "FILE must not be empty, got 'empty.parquet'"),
    f"median junk.parquet {ASK}": (
        3,
        "FILE must be a file of format parquet, got 'junk.parquet': it is none; --format",
    ),
    f"median junk.arrow {ASK}": (3, "FILE must be a file of format arrow, got 'junk.arrow': it is none"),
    f"median one-1.csv {ASK} --format parquet": (3, "FILE must be a file of format parquet, got 'one-1.csv'"),
    f"median junk.parquet {ASK} --format csv": (3, f"the first line of 'junk.parquet' {HEADER}"),
    f"median latin.csv {ASK}": (3, f"the first line of 'latin.csv' {HEADER}"),
    "pearson capitals.jsonl --x a --y A --bounds 0 9 --epsilon 1": (
        3,
        "a question must not name columns that differ by capitals alone, got 'a', 'A'",
    ),
    "median capitals.jsonl --column '' --bounds 0 9 --epsilon 1": (
        3,
        "--column must be the name of a column, as text, got ''",
    ),
    "triangles capitals.jsonl --edges a,a --nodes 4 --epsilon 1": (
        3,
        "--edges must be different columns, got 'a', 'a'",
    ),
    f"median list.json {ASK}": (2, f"--format must say what 'list.json' is, {FORMATS}: its ending does not"),
    f"median data.xlsx {ASK}": (
        2,
        f"--format must say what 'data.xlsx' is, {FORMATS}: its ending does not; save it as",
    ),
    f"median noending {ASK}": (2, "--format must say what 'noending' is"),
    f"median noending {ASK} --format xls": (2, f"--format must be {FORMATS}, got 'xls'"),
    f"median twice.csv {ASK}": (
        3,
        "the columns of FILE must have different names, capitals aside; rename one",
    ),
    f"median semicolons.csv {ASK}": (3, "got 'a'; if the file has several columns, say --separator ';'"),
    f"median data.csv {ASK} --type a": (
        2,
        "--type must be said once for each column, as in --type age=number, got 'a'",
    ),
    f"median one-1.csv {ASK} --type a=int": (2, "--type must be number, boolean, text"),
    f"median data.csv {ASK} --separator ;;": (2, "--separator must be one sign, such as"),
    f"median one-1.csv {ASK} --decimal x": (2, '--decimal must be "." or ","'),
    f"median data.csv {ASK} --encoding hz": (
        2,
        "--encoding must be utf-8, utf-16 or one of a byte for each sign",
    ),
    "histogram data.csv --column income --bins 1,2,3 --epsilon 1": (
        2,
        "--bins must be edges or categories, got 1,2,3, which may be both; say --bins 1.0,2.0,3.0",
    ),
    "median data.csv --column income --bounds 0 9 --epsilon 1 --type income=text": (
        3,
        "--column must be numbers, got column 'income', declared as text; declare it otherwise",
    ),
    f"median 'one-*.csv' {ASK}": (3, "the files of a pattern must have the same columns of the same types"),
    f"median - {ASK}": (2, "--format must be said for standard input, as in --format csv"),
    f"median - {ASK} --format csv": (3, "FILE must not be empty, got standard input"),
    f"median - {ASK} --format parquet": (3, "FILE must not be empty, got standard input"),
    "schema": (2, "Missing argument 'FILE'; noisewise schema --help tells more"),
    "schema none.csv": (3, "FILE must be a file that can be read"),
    "schema data.xlsx": (2, "--format must say what 'data.xlsx' is"),
    "count data.csv --epsilon 1 --by dept --keys @keys.txt": (
        2,
        "--keys must be from 1 to 1,048,576 in number, got 0",
    ),
    "count data.csv --epsilon 1 --by dept --keys @none.txt": (
        3,
        "--keys must be in a file of UTF-8 text that can be read",
    ),
    "count data.csv --epsilon 1 --by dept --keys @keys.bin": (
        3,
        "--keys must be in a file of UTF-8 text that can be read",
    ),
    "count data.csv --epsilon 1 --by dept --keys @pairs.txt": (
        2,
        "--keys must be one on each line of pairs.txt",
    ),
    "count data.csv --epsilon 1 --by dept --by year --keys @pairs.txt": (
        2,
        "--keys must be dept,year on each line of",
    ),
}
PAY = "count data.csv --epsilon 1 --ledger"
LEDGERS = {
    "ledger": (2, "Missing command; noisewise ledger --help tells more"),
    "ledger create": (2, "Missing argument 'PLACE'; noisewise ledger create --help tells more"),
    "ledger create new": (2, "the budget must be --epsilon 1, --epsilon 1 --delta 1e-6, or --rho 0.5"),
    "ledger create new --epsilon 1 --rho 1": (2, "the budget must be --epsilon 1"),
    "ledger create new --epsilon 0": (2, "--epsilon must be above 0, got 0"),
    "ledger create new --epsilon -1": (2, "--epsilon must be at least 0"),
    "ledger create new --epsilon x": (2, "--epsilon must be a number such as"),
    "ledger create new --rho 0.0": (2, "--rho must be above 0, got 0.0"),
    "ledger create new --epsilon 1 --delta 0": (2, "--delta must be above 0, got 0"),
    "ledger create new --epsilon 1 --delta 2": (2, "--delta must be at least 0 and below 1, got 2"),
    "ledger create new --epsilon 1 --contributions 0": (2, "--contributions must be at least 1, got 0"),
    "ledger create new --epsilon 1 --neighbors swop": (
        2,
        "--neighbors must be add_remove or swap, got 'swop'",
    ),
    "ledger create new --epsilon 1 --neighbors swap --unit person": (
        2,
        "--neighbors must be add_remove with --unit",
    ),
    "ledger create folder --epsilon 1": (4, "folder must be a file, not a folder"),
    "ledger create nowhere/new --epsilon 1": (
        4,
        "the file or its folder does not exist or may not be opened",
    ),
    "ledger create small --epsilon 1": (4, "there is a ledger at small already: noisewise ledger show small"),
    "ledger show none": (4, "there is no ledger at none: noisewise ledger create none --epsilon 1"),
    "ledger show data.csv": (4, "cannot be read: the file is not a ledger"),
    "ledger burn small": (2, "No such command 'burn'; noisewise ledger --help tells more"),
    "ledger verify small --receipt none.json": (
        3,
        "--receipt must be a file with what --json printed for a release",
    ),
    "ledger verify small --receipt no.json": (
        3,
        "--receipt must be a file with what --json printed for a release",
    ),
    f"{PAY} small": (
        4,
        "the cost must fit what remains, got ε 1: of small remains ε 0.5 of 0.5; such a release",
    ),
    f"{PAY} thin": (4, "the cost must fit what remains"),
    f"{PAY} persons": (2, "--unit must be 'person', as in persons, got none"),
    f"{PAY} small --unit person": (2, "--unit must be left out, as in small, got 'person'"),
    f"{PAY} swapped": (2, "--neighbors must be 'swap', as in swapped, got 'add_remove'"),
    f"{PAY} named --name guests": (
        2,
        "--name must be 'staff', with which named was created, or left out, got 'guests'",
    ),
    f"{PAY} none": (4, "there is no ledger at none: noisewise ledger create none --epsilon 1"),
    f"{PAY} data.csv": (4, "cannot be read: the file is not a ledger"),
    f"{PAY} ''": (2, "the place of a ledger must be a file or a postgresql:// URL, got ''"),
    f"{PAY} http://x/y": (2, "the place of a ledger must be a file's path or a URL like postgresql://"),
    f"{PAY} small --by dept --key-epsilon 0.1 --key-delta 1e-6": (
        2,
        "--keys must be said: small has a budget without delta; or pay from a ledger that was created with "
        "--epsilon 1 --delta 1e-6",
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("files")
    data(found)
    (found / "folder").mkdir()
    for name, content in FILES.items():
        (found / name).write_bytes(content)
    terms = {
        "small": {},
        "persons": {"unit": "person"},
        "swapped": {"neighbors": "swap"},
        "named": {"name": "staff"},
    }
    for name, said in terms.items():
        Ledger.open(found / name, budget=PureDP(0.5), **said)
    Ledger.open(found / "thin", budget=ZCDP(0.01))
    return found


@pytest.mark.parametrize("typed", MISTAKES | LEDGERS)
def test_a_mistake_is_told_with_the_fix(folder, monkeypatch, typed):
    monkeypatch.chdir(folder)
    code, said = (MISTAKES | LEDGERS)[typed]
    assert said in told(code, *shlex.split(typed))


@pytest.mark.parametrize("typed", LEDGERS)
def test_no_mistake_is_paid_for_and_none_leaves_a_file_behind(folder, monkeypatch, typed):
    monkeypatch.chdir(folder)
    before = sorted(path.name for path in folder.iterdir())
    invoke(*shlex.split(typed))
    assert sorted(path.name for path in folder.iterdir()) == before
    assert Ledger.open(folder / "small").spent == PureDP(0)


def test_what_a_wrong_file_holds_on_standard_input_is_not_told_by_a_path_of_ours(tmp_path):
    line = told(3, "schema", "-", "--format", "parquet", stdin=b"4711")
    assert (
        line
        == "noisewise: FILE must be a file of format parquet, got standard input: it is none; --format says what it is"
    )
    assert "of standard input must be" in told(3, "schema", "-", "--format", "csv", stdin=b"\xff4711")
