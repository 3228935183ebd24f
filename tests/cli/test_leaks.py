"""No record shows up in what a command prints, however broken the file is, whatever is asked."""

import json

import polars as pl
import pytest

from tests.cli.running import invoke, run

MARK = "4711471147"
TEXT = f"income,dept,drink\n{MARK},{MARK},{MARK}\n"
FILES = {
    "fine.csv": TEXT.encode(),
    "ragged.csv": f"income,dept,drink\n{MARK}\n{MARK},{MARK},{MARK},{MARK}\n".encode(),
    "open quote.csv": f'income,dept,drink\n"{MARK},{MARK},{MARK}\n{MARK},"{MARK}"x,1\n'.encode(),
    "bytes.csv": f"income,dept,drink\n{MARK},\xff\xfe{MARK},".encode("latin-1") + b"\x00\xff\n",
    "no header.csv": f"\xff{MARK}\n".encode("latin-1"),
    "empty.csv": b"",
    "huge.csv": f"income,dept,drink\n{MARK}e999999,{MARK},{MARK * 1000}\n".encode(),
    "tabs.tsv": TEXT.replace(",", "\t").encode(),
    "broken.jsonl": f'{{"income": 1, "dept": "a", "drink": "b"}}\n{{"income": "{MARK}", "dept": [{MARK}\n'.encode(),
    "list.jsonl": f"[{MARK}, {MARK}]\n".encode(),
    "nested.jsonl": json.dumps({"income": {"x": MARK}, "dept": [MARK], "drink": None}).encode(),
    "no.parquet": f"PAR1{MARK}PAR1".encode(),
    "no.arrow": f"ARROW1\x00\x00{MARK}ARROW1".encode(),
}
ASKED = [
    ("schema",),
    ("median", "--column", "income", "--bounds", "0", "100", "--epsilon", "0.1"),
    ("median", "--column", "income", "--bounds", "private", "--epsilon", "0.1"),
    ("median", "--column", "incme", "--bounds", "0", "100", "--epsilon", "0.1"),
    ("count", "--epsilon", "0.1", "--by", "dept", "--keys", "a,b"),
    ("most-common", "--column", "drink", "--categories", "a,b", "--epsilon", "0.1"),
    ("histogram", "--column", "income", "--bins", "0,1,3", "--epsilon", "0.1", "--json"),
    ("pearson", "--x", "income", "--y", "drink", "--bounds", "0", "1", "--epsilon", "0.1"),
    ("mean", "--column", "dept", "--bounds", "0", "1", "--epsilon", "0.1", "--unit", "drink"),
    ("triangles", "--edges", "dept,drink", "--nodes", "a,b", "--epsilon", "0.1"),
    ("median", "--column", "dept", "--bounds", "2020-01-01", "2021-01-01", "--epsilon", "0.1"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("bad")
    for name, content in FILES.items():
        (found / name).write_bytes(content)
    whole = pl.DataFrame({"income": [int(MARK)], "dept": [MARK], "drink": [MARK]})
    whole.write_parquet(found / "fine.parquet")
    whole.write_ipc(found / "fine.arrow")
    for name in ("fine.parquet", "fine.arrow"):
        content = (found / name).read_bytes()
        (found / f"cut {name}").write_bytes(content[: len(content) // 2])
        middle = len(content) // 3
        (found / f"bent {name}").write_bytes(content[:middle] + bytes(16) + content[middle + 16 :])
    return found


NAMES = [*FILES, *(f"{how}fine.{kind}" for how in ("", "cut ", "bent ") for kind in ("parquet", "arrow"))]


@pytest.mark.parametrize("name", NAMES)
def test_no_record_is_printed(folder, name):
    for words in ASKED:
        done = invoke(*words, folder / name)
        assert MARK not in done.output, words
        assert "Traceback" not in done.output
        assert (
            len([line for line in done.stderr.splitlines() if not line.startswith("noisewise: note: ")]) <= 1
        )
        assert done.exit_code in (0, 2, 3, 5)


@pytest.mark.parametrize("name", ["ragged.csv", "broken.jsonl", "bent fine.parquet", "bytes.csv"])
def test_no_record_is_printed_by_the_process_either(folder, name):
    done = run(*ASKED[1], folder / name)
    assert MARK not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_crash_prints_no_local_variable(folder, monkeypatch):
    from noisewise.dataset.dataset import Dataset

    def crashes(self, question):
        secret = MARK
        raise LookupError(secret)

    monkeypatch.setattr(Dataset, "_ask", crashes)
    done = invoke(*ASKED[1], folder / "fine.csv")
    assert (done.exit_code, MARK in done.output) == (1, False)
    assert "LookupError" in done.stderr
