"""The files behind a table must stay as they were; whether they did is told from outside."""

import os

import pytest

from noisewise.errors import ReleaseFailed, SchemaError
from noisewise.tables.files.file_state import FileState


def write(path, text):
    path.write_text(text)
    return str(path)


def test_files_that_stay_are_no_error(tmp_path):
    files = FileState.of((write(tmp_path / "a", "1"), write(tmp_path / "b", "2")))
    files.check_unchanged()
    files.fail_if_changed()
    assert len(files.opened) == 2


@pytest.mark.parametrize("change", ["longer", "touched", "replaced", "gone"])
def test_a_change_is_an_error_before_the_debit_and_after_a_query(tmp_path, change):
    path = tmp_path / "a"
    files = FileState.of((write(path, "12"),))
    then = os.stat(path)
    if change == "longer":
        write(path, "123")
    elif change == "touched":
        os.utime(path, ns=(then.st_atime_ns, then.st_mtime_ns + 1))
    elif change == "replaced":
        write(tmp_path / "new", "34")
        os.utime(tmp_path / "new", ns=(then.st_atime_ns, then.st_mtime_ns))
        os.replace(tmp_path / "new", path)
    else:
        path.unlink()
    with pytest.raises(
        SchemaError, match=r"^the files of a scan must stay as they were when it was opened; scan them"
    ):
        files.check_unchanged()
    with pytest.raises(ReleaseFailed, match=r"^the files of the scan changed while they were read$"):
        files.fail_if_changed()
