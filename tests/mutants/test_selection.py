"""The choice of mutants for `make test`, with git and without."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.mutants.gathered import MUTANTS, ROOT
from tests.mutants.mutant import Mutant
from tests.mutants.selection import COMMITS, LAWS, SERVERS, SOURCE, recently_changed, selected
from tests.programs import GIT

AROUND = ["cli/app.py", "dataset/dataset.py", "tables/local.py", "ledger/books/postgres_book.py"]
OF_LAWS = [
    *("kernel/laws/law.py", "statistics/quantile.py", "ledger/ledger.py", "kernel/sampling/draw.py"),
    *("ledger/books/sqlite_book.py", "dataset/batches.py"),
]


def mutants(*files: str) -> list[Mutant]:
    return [Mutant(f"a break of {file}", file, "old", "new", "tests/test_it.py") for file in files]


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, "-C", str(folder), *words], check=True, capture_output=True)


def commit(folder: Path, times: int = 1) -> None:
    git(folder, "add", ".")
    for _ in range(times):
        git(folder, "commit", "--quiet", "--allow-empty", "-m", "Change")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that were last changed as many commits ago as are not recent any more."""
    GIT.path_or_skip()
    folder = tmp_path_factory.mktemp("repository")
    for name in AROUND + OF_LAWS:
        write(folder, name, "as it was")
    git(folder, "init", "--quiet")
    commit(folder, 1 + COMMITS)
    return folder


@pytest.fixture
def repository(begun: Path, tmp_path: Path) -> Path:
    return shutil.copytree(begun, tmp_path / "repository")


def write(folder: Path, name: str, text: str) -> None:
    file = folder / SOURCE / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_mutants_of_laws_are_chosen_where_their_file_changed() -> None:
    listed = mutants(*AROUND, *OF_LAWS)
    assert selected(listed, []) == []
    assert selected(listed, {"cli/app.py", "kernel/laws/law.py"}) == mutants("kernel/laws/law.py")
    assert selected(listed, AROUND + OF_LAWS) == mutants(*OF_LAWS)


def test_every_folder_of_laws_is_there_and_has_mutants() -> None:
    for name in (*LAWS, *SERVERS):
        assert (ROOT / SOURCE / name).exists()
        assert any(mutant.file.startswith(name) for mutant in MUTANTS)


def test_what_changed_in_the_last_commits_is_recent_committed_or_not(repository: Path) -> None:
    assert recently_changed(repository) == frozenset()
    write(repository, "cli/app.py", "as it is")
    commit(repository)
    write(repository, "tables/local.py", "as it is")
    write(repository, "tables/new.py", "as it is")
    (repository / "README.md").write_text("no part of the library")
    changed = {"cli/app.py", "tables/local.py", "tables/new.py"}
    assert recently_changed(repository) == changed
    commit(repository, COMMITS - 1)
    assert recently_changed(repository) == changed
    commit(repository)
    assert recently_changed(repository) == changed - {"cli/app.py"}


def test_a_file_has_changed_where_its_code_has(repository: Path) -> None:
    lines = "\n".join(f"    x{n} = {n}" for n in range(20))
    code = "\n".join(
        [
            '"""An idea."""',
            "from noisewise.kernel.laws import law",
            "def f():",
            '    """Words."""',
            lines,
            "    return law  # so",
        ]
    )
    write(repository, "kernel/laws/law.py", code)
    commit(repository, COMMITS)
    commit(repository)
    assert recently_changed(repository) == frozenset()
    other = (
        code.replace("An idea", "Other")
        .replace("Words", "More")
        .replace("# so", "")
        .replace("laws ", "kernel.laws ")
    )
    git(repository, "mv", f"{SOURCE}/kernel/laws/law.py", f"{SOURCE}/kernel/laws/moved.py")
    write(repository, "kernel/laws/moved.py", other)
    commit(repository)
    assert recently_changed(repository) == frozenset()
    write(repository, "kernel/laws/moved.py", other.replace("x7 = 7", "x7 = 8"))
    assert recently_changed(repository) == {"kernel/laws/moved.py"}
    commit(repository)
    assert recently_changed(repository) == {"kernel/laws/moved.py"}


def test_a_clone_whose_history_ends_earlier_knows_no_change(repository: Path, tmp_path: Path) -> None:
    write(repository, "cli/app.py", "as it is")
    commit(repository)
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{repository}", "shallow")
    assert recently_changed(tmp_path / "shallow") == frozenset()
    git(tmp_path, "clone", "--quiet", f"file://{repository}", "full")
    assert recently_changed(tmp_path / "full") == {"cli/app.py"}


def test_an_archive_knows_no_change_even_inside_another_repository(repository: Path, tmp_path: Path) -> None:
    inner = repository / "vendored"
    shutil.copytree(repository / "src", inner / "src")
    assert recently_changed(inner) == frozenset()
    shutil.copytree(repository / "src", tmp_path / "alone" / "src")
    assert recently_changed(tmp_path / "alone") == frozenset()


def test_without_git_nothing_counts_as_changed(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, "cli/app.py", "as it is")
    assert recently_changed(repository) == {"cli/app.py"}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert recently_changed(repository) == frozenset()
