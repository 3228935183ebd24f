"""Where the data comes from: files as they are, and standard input in a private place that is gone afterwards."""

import gzip
import os
import signal
import stat
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from noisewise.cli.input_file import MOST_BYTES, Columns, _kinds, described, path_of, reading, schema
from noisewise.errors import ParameterError, SchemaError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger
from tests.cli.running import command, data, environment, invoke, rows, run

ASK = ("median", "--column", "income", "--bounds", "0", "100000", "--epsilon", "1")


def written(folder, name):
    """The table in another format."""
    path, frame = folder / name, pl.DataFrame(rows())
    {
        "csv": lambda: data(folder, name=name),
        "tsv": lambda: data(folder, "\t", name),
        "parquet": lambda: frame.write_parquet(path),
        "arrow": lambda: frame.write_ipc(path),
        "jsonl": lambda: frame.write_ndjson(path),
    }[path.suffix[1:]]()
    return path


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.parquet", "t.arrow", "t.jsonl"])
def test_every_format_is_read(tmp_path, name):
    done = invoke(*ASK, written(tmp_path, name))
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("median of income = ")


@pytest.mark.parametrize("format", ["csv", "tsv", "parquet", "arrow", "jsonl"])
def test_every_format_is_read_from_standard_input(tmp_path, monkeypatch, format):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    given = written(tmp_path, f"t.{format}").read_bytes()
    done = invoke(*ASK, "-", "--format", format, stdin=given)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("median of income = ")
    assert list((tmp_path / "kept").iterdir()) == []


def test_the_answer_is_that_of_the_whole_input(tmp_path):
    text = "income\n" + "7\n" * 5000
    done = run(*ASK[:5], "10", "--epsilon", "60", "-", "--format", "csv", stdin=text)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "median of income = 7")


def test_several_files_are_read_by_a_pattern(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("income\n" + "7\n" * 300)
    done = invoke("count", tmp_path / "*.csv", "--column", "income", "--epsilon", "60")
    assert done.stdout.splitlines()[0] == "count of income = 600"


def test_standard_input_must_say_its_format():
    with pytest.raises(ParameterError, match="format must be said for standard input, as in --format csv"):
        path_of("-", None).__enter__()


def test_a_file_that_is_not_there_is_a_matter_of_data(tmp_path):
    done = invoke(*ASK, tmp_path / "no.csv")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "no.csv" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_text_file_is_all_text_and_other_files_are_what_they_declare(tmp_path):
    types = {name: str(dtype) for name, dtype in schema(str(written(tmp_path, "t.csv")), None, {}).items()}
    assert set(types.values()) == {"String"}
    assert Columns.of(str(written(tmp_path, "t.parquet")), None, {}).types["year"] == "whole"


def test_columns_that_make_no_groups_have_no_kind():
    assert _kinds({"a": nw.String(), "b": nw.List(nw.Int64)}) == {"a": "text"}


def test_a_file_that_breaks_off_is_told_without_its_records_and_the_debit_stands(tmp_path):
    path, ledger = written(tmp_path, "t.parquet"), tmp_path / "t.ledger"
    content = path.read_bytes()
    path.write_bytes(content[:4] + bytes(200) + content[204:])
    assert invoke("ledger", "create", ledger, "--epsilon", "5").exit_code == 0
    done = invoke("quantiles", path, "--column", "person", "--qs", "0.5", *ASK[3:], "--ledger", ledger)
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (5, "", 1)
    assert Ledger.open(str(ledger)).spent == PureDP(1)


def test_whoever_waits_is_told_which_file_is_read_and_its_size(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x\n" * 1000)
    assert described(str(path)) == f"{path}, 2.0 kB"
    assert (described("-"), described("no/*.csv")) == ("standard input", "no/*.csv")


@pytest.mark.parametrize("step", ["tempfile.TemporaryFile", "_copied"])
def test_standard_input_that_cannot_be_kept_is_told_without_a_record(monkeypatch, step):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"noisewise.cli.input_file.{step}", full)
    done = invoke(*ASK, "-", "--format", "csv", stdin=b"income\n4711\n")
    assert (done.exit_code, "standard input could not be kept" in done.stderr) == (3, True)
    assert "4711" not in done.output


def test_more_than_can_be_kept_is_refused_before_anything_is_paid(tmp_path, monkeypatch):
    ledger, given = tmp_path / "t.ledger", b"income\n4711\n"
    assert invoke("ledger", "create", ledger, "--epsilon", "5").exit_code == 0
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    asked = (*ASK, "-", "--format", "csv", "--ledger", ledger)
    monkeypatch.setattr("noisewise.cli.input_file.MOST_BYTES", len(given) - 1)
    done = invoke(*asked, stdin=given)
    assert (done.exit_code, done.stdout) == (3, "")
    assert "standard input must have at most 11 bytes, got more; save it as a file" in done.stderr
    assert list((tmp_path / "kept").iterdir()) == [] and len(Ledger.open(str(ledger))) == 0
    monkeypatch.setattr("noisewise.cli.input_file.MOST_BYTES", len(given))
    assert invoke(*asked, stdin=given).exit_code == 0


def test_more_than_can_be_kept_is_not_read_to_its_end(monkeypatch):
    class Endless:
        read_so_far = 0

        def read(self, size):
            self.read_so_far += size
            assert self.read_so_far <= 5 << 20
            return bytes(size)

    monkeypatch.setattr("noisewise.cli.input_file.MOST_BYTES", 3 << 20)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=Endless()))
    with pytest.raises(SchemaError, match=r"^standard input must have at most 3.1 MB, got more"):
        path_of("-", "csv").__enter__()


def test_the_help_names_what_is_kept_of_standard_input():
    assert f"of up to {MOST_BYTES // 10**9} GB" in " ".join(invoke("count", "--help").stdout.split())


def waiting(tmp_path, *before):
    """A command that waits for the rest of its standard input, and the folder where it keeps what it has.

    More is written than a pipe holds, so some of it was read when the writing ends.
    """
    kept = tmp_path / "kept"
    kept.mkdir()
    running = subprocess.Popen(
        [*before, *command(*ASK, "-", "--format", "csv")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(TMPDIR=str(kept)),
    )
    running.stdin.write(b"income\n" + b"4711\n" * 10**6)
    running.stdin.flush()
    return running, kept


@pytest.mark.skipif(sys.platform != "linux", reason="files without a name are of Linux")
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)],
)
def test_nothing_of_standard_input_has_a_name_nor_stays_however_the_command_is_stopped(
    tmp_path, number, code
):
    running, kept = waiting(tmp_path)
    assert list(kept.iterdir()) == []
    running.send_signal(number)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (code, b"")
    assert b"Traceback" not in err and b"4711" not in err
    assert list(kept.iterdir()) == []


def test_elsewhere_it_is_in_a_folder_of_the_user_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("noisewise.cli.input_file.OPEN_FILES", str(tmp_path / "none"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"income\n7\n")))
    with path_of("-", "csv") as path:
        assert Path(path).read_bytes() == b"income\n7\n"
        assert stat.S_IMODE(Path(path).parent.stat().st_mode) == 0o700
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
def test_a_command_under_nohup_goes_on_after_a_hangup(tmp_path):
    running, kept = waiting(tmp_path, "nohup")
    running.send_signal(signal.SIGHUP)
    out, err = running.communicate(b"4711\n", timeout=60)
    assert (running.returncode, err) == (0, b"")
    assert out.startswith(b"median of income = ") and list(kept.iterdir()) == []


def test_how_a_text_file_is_read_is_said_by_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content = "größe;tag;ja\n" + "1,5;2024-05-01T23:00-02:00;yes\n2,5;2024-05-02;no\n" * 20
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(content.encode("cp1252")))
    read = ["--separator", ";", "--decimal", ",", "--encoding", "cp1252"]
    mean = invoke("mean", "x.csv.gz", "--column", "größe", "--bounds", "0", "9", "--epsilon", "64", *read)
    assert mean.stdout.startswith("mean of größe = 1.9") or mean.stdout.startswith("mean of größe = 2.0")
    assert "größe read as numbers (decimal comma); other cells count as missing" in mean.stdout
    keys = ["--by", "tag", "--keys", "2024-05-02,2024-05-03", "--type", "tag=date", "--epsilon", "64"]
    days = invoke("count", "x.csv.gz", *keys, *read)
    assert days.stdout == "tag,count\n2024-05-02,40\n2024-05-03,0\n"
    truths = ["--by", "ja", "--keys", "true,false", "--type", "ja=boolean", "--type", "größe=number"]
    assert (
        invoke("count", "x.csv.gz", *truths, "--epsilon", "64", *read).stdout
        == "ja,count\ntrue,20\nfalse,20\n"
    )
    (tmp_path / "tabs").write_text("a\tb\n1\t2\n")
    assert reading({"separator": "tab", "type": ["a=b=number"]}) == {
        "separator": "\t",
        "types": {"a=b": "number"},
    }
    assert (
        invoke("schema", "tabs", "--format", "csv", "--separator", "tab").stdout == "a  String\nb  String\n"
    )
