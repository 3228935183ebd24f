"""The files of a release: which names are taken, by whatever name; and whose a file is."""

import pytest

from noisewise.errors import ParameterError
from noisewise.study import publishing as files
from noisewise.study.journal import Journal
from tests.study.worlds import made


def test_a_pattern_that_would_match_an_answer_is_an_input_in_any_folder(tmp_path):
    made(tmp_path)
    pattern = str(tmp_path / "**" / "*.csv")
    for folder in ("", "new", "new/deeper"):
        with pytest.raises(ParameterError, match="is the data"):
            files.check_inputs(tmp_path / folder, ["pay.csv"], [("the data", pattern)])
    files.check_inputs(tmp_path / "new", ["pay.csv"], [("the data", str(tmp_path / "*.csv"))])
    (tmp_path / "one").mkdir()
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(ParameterError, match="is the data"):
        files.check_inputs(tmp_path / "one", ["pay.csv"], [("the data", str(tmp_path / "tw*" / "p*.csv"))])


def test_signs_of_patterns_in_names_hide_no_input(tmp_path):
    made(tmp_path)
    folder = tmp_path / "[b]"
    folder.mkdir()
    with pytest.raises(ParameterError, match="is the ledger"):
        files.check_inputs(folder, ["release.json"], [("the ledger", str(folder / "release.json"))])
    up = str(tmp_path / "a*" / ".." / "pay.csv")
    with pytest.raises(ParameterError, match="is the data"):
        files.check_inputs(tmp_path, ["pay.csv"], [("the data", up)])


def test_a_file_is_written_once_as_a_whole_and_known_for_the_runs_own(tmp_path):
    with Journal(tmp_path) as journal:
        journal.begin({"study": "h", "run": "r"})
        files.write_new(tmp_path, "x.csv", "a\nb\ud800\n", journal)
        with pytest.raises(FileExistsError):
            files.write_new(tmp_path, "x.csv", "c", journal)
        assert (tmp_path / "x.csv").read_bytes() == b"a\nb\\ud800\n"
        assert files.is_own(tmp_path, "x.csv", journal)
        (tmp_path / "x.csv").write_text("edited")
        assert not files.is_own(tmp_path, "x.csv", journal)
        journal.remove()
    assert [each.name for each in tmp_path.iterdir()] == ["x.csv"]
