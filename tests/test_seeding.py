"""Draws in tests repeat themselves in every process, and other tests state how often they fail by chance."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.seeding import FOLDER, MOST, Seeds, chance_of_failure

ROOT = Path(__file__).resolve().parents[1]

SOME = """
import os, subprocess, sys
import pytest
from noisewise.kernel.sampling import SystemBits

PROGRAM = "from noisewise.kernel.sampling import SystemBits; print(*SystemBits().words(2))"

def say(who, *words):
    with open("said", "a") as said:
        print(who, *words, sep="; ", file=said)

def drawn():
    return SystemBits().words(2).tolist()

@pytest.fixture(scope="session")
def shared():
    return drawn()

def test_processes(shared):
    say("shared", *shared)
    say("here", *drawn())
    for number in range(2):
        say(f"process {number}", subprocess.check_output([sys.executable, "-c", PROGRAM], text=True).strip())
        if os.fork() == 0:
            say(f"fork {number}", *drawn())
            os._exit(0)
        os.wait()
    say("here again", *drawn())

@pytest.mark.parametrize("other", range(2))
def test_other(shared, other):
    say(f"other {other}", *drawn())

@pytest.mark.fails_by_chance(2**-100)
def test_of_the_system(shared):
    say("system", *drawn())
    say("process of the system", subprocess.check_output([sys.executable, "-c", PROGRAM], text=True).strip())
    say("other bytes", int.from_bytes(os.urandom(16), "big"))
"""


def said_by(folder: Path, *words: str, seed: str = "") -> dict[str, str]:
    """The draws of the tests above, in a run of their own."""
    folder.mkdir()
    (folder / "test_some.py").write_text(SOME)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:tach -p no:cacheprovider -p tests.conftest")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", "pytest.ini", "--rootdir", ".", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "NOISEWISE_SEED": seed},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(line.split("; ", 1) for line in (folder / "said").read_text().splitlines())


@pytest.mark.rest
@pytest.mark.fails_by_chance(2**-60)  # a pair of 15 words of 64 bits is the same with a chance of 105 / 2**64
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_words_repeat_themselves_but_for_those_of_the_system(tmp_path: Path) -> None:
    first, again = said_by(tmp_path / "first"), said_by(tmp_path / "again", "-n", "2", "-k", "not other")
    other = said_by(tmp_path / "other", seed="2")
    assert len(first) == 12 and len(again) == 10
    assert len(set(first.values())) == len(first), "no two processes, forks or tests draw the same"
    differ = {name for name in again if again[name] != first[name]}
    assert differ == {"system", "process of the system", "other bytes"}
    assert not set(first.values()) & set(other.values())


def of(*rates: Any) -> list[Any]:
    """Tests with these rates of failure."""
    marks = [None if each is None else SimpleNamespace(args=each) for each in rates]
    return [SimpleNamespace(nodeid="a", get_closest_marker=lambda _name, mark=mark: mark) for mark in marks]


def test_all_tests_together_fail_by_chance_less_often_than_promised() -> None:
    seeds = object.__new__(Seeds)
    seeds.pytest_collection_modifyitems(of(None, [float(MOST / 2)], [float(MOST / 4)]))
    with pytest.raises(pytest.UsageError, match="in up to"):
        seeds.pytest_collection_modifyitems(of(None, [float(MOST / 2)], [float(MOST)]))
    for nothing in (0, 1, -1e-9):
        with pytest.raises(pytest.UsageError, match="how often"):
            chance_of_failure(of([nothing])[0])


MADE = r"((np|numpy)\.)?(random\.)?(default_rng|Random|RandomState|SeedSequence|PCG64)"
ASKED = (
    r"(np\.|numpy\.)?random\.(?!Random|default_rng|Generator|SeedSequence|PCG64)\w+|secrets\.\w+|(uuid\.)?uuid[14]"
    r"|(os\.)?(urandom|getrandom)|(random\.)?SystemRandom"
)


def unseeded(tree: ast.Module) -> Iterator[str]:
    """The calls in the code that make a random generator without a seed."""
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)).partition(".")[0] in imported:
            made_of_nothing = re.fullmatch(MADE, name) and not node.args and not node.keywords
            if made_of_nothing or re.fullmatch(ASKED, name):
                yield f"line {node.lineno}: {name}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import numpy as np\nnp.random.default_rng()", 1),
        ("import numpy as np\nnp.random.default_rng(1)", 0),
        ("import numpy as np\nnp.random.normal()", 1),
        ("import random\nrandom.random()", 1),
        ("import random\nrandom.Random()", 1),
        ("import random\nrandom.Random('a').random()", 0),
        ("random.uniform(1)", 0),  # a parameter, or a local name
        ("from uuid import uuid4\nuuid4()", 1),
        ("import os, secrets\n[os.urandom(3), secrets.token_hex()]", 2),
    ],
)
def test_a_generator_without_a_seed_is_found(text: str, found: int) -> None:
    assert len(list(unseeded(ast.parse(text)))) == found


@pytest.mark.rest  # and run by make check
def test_no_test_has_a_generator_without_a_seed() -> None:
    files = [path for path in (ROOT / "tests").rglob("*.py") if path.parent != FOLDER]
    trees = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in files}
    found = {name: list(unseeded(tree)) for name, tree in trees.items()}
    calls = {name: called for name, called in found.items() if called}
    assert calls == {"tests/vectors/test_vectors.py": ["line 113: os.urandom"]}, "that one is of a seed there"
