"""Which mutants `make test` runs: those of recently changed files that decide draws, laws, prices and debits.

`make test-all` runs the others. "Recently" means the last 20 commits and what is not committed yet. A file has changed
where its code has: its name, its imports, its comments and its docstrings decide nothing. The choice depends on the
files and on git alone, so two runs on one tree make the same choice. Where git cannot say what changed (there is no
git, or the history ends earlier), nothing counts as changed.
"""

import ast
import os
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path

from tests.mutants.mutant import Mutant

LAWS = (
    *("kernel/", "statistics/", "ledger/", "questions/"),
    *("tables/columns/", "paper/", "dataset/batches.py", "dataset/many_groups.py"),
)
"""Folders and files that decide draws, laws, prices and debits. Tests of what stands around them (tables, files,
engines, servers, the command line) are slower."""
SERVERS = "ledger/books/__init__.py", "ledger/books/postgres_book.py"
"""Files among them whose mutants need a server."""
COMMITS = 20
SOURCE = "src/noisewise"


def selected(mutants: Sequence[Mutant], changed: Collection[str]) -> list[Mutant]:
    """The mutants of files of ``LAWS`` that changed, in the order of the lists."""
    ours = [m for m in mutants if m.file.startswith(LAWS) and m.file not in SERVERS]
    return [mutant for mutant in ours if mutant.file in changed]


def recently_changed(root: Path) -> frozenset[str]:
    """Files of the library that changed in the last commits or are not committed, as mutants name them."""
    try:
        top = _git(root, "rev-parse", "--show-toplevel")
        if [Path(line).resolve() for line in top] != [root.resolve()]:
            return frozenset()  # an archive unpacked inside another repository
        changed = _git(root, "diff", "--name-status", "--find-renames", f"HEAD~{COMMITS}", "--", SOURCE)
        new = _git(root, "ls-files", "--others", "--exclude-standard", "--", SOURCE)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return frozenset()
    names = [name for name in (_changed(root, *line.split("\t")) for line in changed) if name]
    return frozenset(name.removeprefix(f"{SOURCE}/") for name in [*names, *new])


def _changed(root: Path, status: str, old: str, new: str | None = None) -> str | None:
    """The name today of a file whose code changed; None where only its name or words did, or where it is gone."""
    name = new or old
    if status[0] in "MR" and name.endswith(".py"):
        before = "\n".join(_git(root, "show", f"HEAD~{COMMITS}:{old}"))
        return None if _code(before) == _code((root / name).read_text(encoding="utf-8")) else name
    return None if status == "D" else name


def _code(text: str) -> str:
    """The code of a file, without its imports and docstrings; all of the text where it is no Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            node.body = [each for each in body if not _is_import_or_words(each)]
    return ast.dump(tree)


def _is_import_or_words(node: ast.AST) -> bool:
    words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return words or isinstance(node, ast.Import | ast.ImportFrom)


def _git(root: Path, *words: str) -> list[str]:
    """The lines that git prints, whatever hooks or variables point it to another repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", "-C", str(root), *words],
        env=kept,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.splitlines()
