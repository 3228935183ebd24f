"""The choice of mutants for `make test`, with git and without."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.mutants.gathered import MUTANTS, ROOT
from tests.mutants.mutant import Mutant
from tests.mutants.selection import LAWS, SOURCE, changed_since_the_last_tag, selected

AROUND = ["cli/app.py", "dataset/dataset.py", "tables/local.py", "books/sqlite.py"]
OF_LAWS = ["laws/law.py", "statistics/quantile.py", "privacy/ledger.py", "sampling/draw.py"]


def mutants(*files: str) -> list[Mutant]:
    return [Mutant(f"a break of {file}", file, "old", "new", "tests/test_it.py") for file in files]


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, "-C", str(folder), *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Files with one commit and no tag."""
    if shutil.which("git") is None:
        pytest.skip("there is no git to ask")
    folder = tmp_path / "repository"
    for name in AROUND + OF_LAWS:
        write(folder, name, "as it was")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "Begin")
    return folder


def write(folder: Path, name: str, text: str) -> None:
    file = folder / SOURCE / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_mutants_of_laws_are_always_chosen_and_others_where_their_file_changed() -> None:
    listed = mutants(*AROUND, *OF_LAWS)
    assert selected(listed, []) == mutants(*OF_LAWS)
    assert selected(listed, {"cli/app.py", "laws/law.py"}) == mutants("cli/app.py", *OF_LAWS)
    assert selected(listed, AROUND) == listed


def test_every_room_of_laws_is_there_and_most_have_mutants() -> None:
    assert [room for room in LAWS if not (ROOT / SOURCE / room).is_dir()] == []
    assert len(selected(MUTANTS, [])) > 300


def test_without_a_tag_nothing_counts_as_changed(repository: Path) -> None:
    write(repository, "cli/app.py", "as it is")
    assert changed_since_the_last_tag(repository) == frozenset()


def test_what_differs_from_the_last_tag_is_changed_committed_or_not(repository: Path) -> None:
    git(repository, "tag", "v1")
    assert changed_since_the_last_tag(repository) == frozenset()
    write(repository, "cli/app.py", "as it is")
    git(repository, "commit", "--quiet", "-am", "Change")
    write(repository, "tables/local.py", "as it is")
    write(repository, "tables/new.py", "as it is")
    (repository / "README.md").write_text("no part of the library")
    changed = {"cli/app.py", "tables/local.py", "tables/new.py"}
    assert changed_since_the_last_tag(repository) == changed
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "Add")
    assert changed_since_the_last_tag(repository) == changed
    git(repository, "tag", "v2")
    assert changed_since_the_last_tag(repository) == frozenset()


def test_a_shallow_clone_that_ends_before_the_tag_knows_no_change(repository: Path, tmp_path: Path) -> None:
    git(repository, "tag", "v1")
    write(repository, "cli/app.py", "as it is")
    git(repository, "commit", "--quiet", "-am", "Change")
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{repository}", "shallow")
    assert changed_since_the_last_tag(tmp_path / "shallow") == frozenset()
    git(tmp_path, "clone", "--quiet", f"file://{repository}", "full")
    assert changed_since_the_last_tag(tmp_path / "full") == {"cli/app.py"}


def test_an_archive_knows_no_change_even_inside_another_repository(repository: Path, tmp_path: Path) -> None:
    git(repository, "tag", "v1")
    inner = repository / "vendored"
    shutil.copytree(repository / "src", inner / "src")
    assert changed_since_the_last_tag(inner) == frozenset()
    shutil.copytree(repository / "src", tmp_path / "alone" / "src")
    assert changed_since_the_last_tag(tmp_path / "alone") == frozenset()


def test_without_git_nothing_counts_as_changed(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repository, "tag", "v1")
    write(repository, "cli/app.py", "as it is")
    assert changed_since_the_last_tag(repository) == {"cli/app.py"}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert changed_since_the_last_tag(repository) == frozenset()
