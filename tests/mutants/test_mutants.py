"""Mutants: the library broken on purpose, one line at a time. The suite must notice each.

A mutant is the library with one text replaced; at least one of the tests named beside it must fail. The first one named
is the one that does, so that no time is lost. Each file beside this one lists some mutants; the shortcuts that never
stood in the source are checked in tests/kernel/laws/test_constructions.py instead.

`make test` runs those of recently changed files that a proof rests on (selection.py), `make test-all` the others, and
`make mutants` all. processes.py says how one process serves all mutants of a file.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.mutants import processes
from tests.mutants.gathered import MUTANTS, ROOT, slug
from tests.mutants.mutant import Mutant
from tests.mutants.selection import recently_changed, selected
from tests.programs import lacking

pytestmark = pytest.mark.mutant
IN_EVERY_RUN = frozenset(selected(MUTANTS, recently_changed(ROOT)))


class Client:
    """Sends requests to a process of processes.py, as lines of JSON."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def request(self, request: dict[str, Any]) -> Any:
        """The answer to a request."""
        self.send(request)
        return self.receive()

    def send(self, request: dict[str, Any]) -> None:
        print(json.dumps(request), file=self.process.stdin, flush=True)

    def receive(self) -> Any:
        return json.loads(self.process.stdout.readline() or '"gone"')  # type: ignore[union-attr]


class Workers(Client):
    """Starts a worker for each file that has mutants; one is open at a time."""

    file = ""
    forks = True

    def run(self, mutant: Mutant, request: dict[str, Any], place: Path) -> int:
        """The exit code of the mutant's tests, run in the worker of its file."""
        module = ".".join(Path("noisewise", mutant.file).with_suffix("").parts).removesuffix(".__init__")
        if self.file != mutant.file:
            self.close()
            tests = [name for other in MUTANTS if other.file == mutant.file for name in other.tests.split()]
            opened = self.request({"module": module, "tests": tests, "place": str(place)})
            self.file, self.forks = mutant.file, opened == "open"
            assert opened in ("open", processes.ALONE), Path(f"{place}.log").read_text()[-2000:]
        if self.forks:
            return self.request(request)
        return self.request(
            {"module": module, "tests": request["tests"], "place": str(place), "alone": request}
        )

    def close(self) -> None:
        if self.file and self.forks:
            self.request({})
        self.file = ""


@contextmanager
def _process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-P", processes.__file__, *arguments]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.stdin.close()  # type: ignore[union-attr]


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    """The processes that hold the unbroken library, and break its functions in their children."""
    with _process("warm", str(ROOT / "src")) as process:
        workers = Workers(process)
        yield workers
        workers.close()


@pytest.fixture(scope="session")
def cold() -> Iterator[Client]:
    """The process for mutants that must be imported anew."""
    with _process("cold") as process:
        yield Client(process)


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of every mutant of this worker, of which one file at a time is broken; the others stay compiled."""
    place = tmp_path_factory.mktemp("mutants") / "src"
    shutil.copytree(ROOT / "src", place, ignore=shutil.ignore_patterns("__pycache__"))
    return place


@pytest.mark.parametrize(
    "mutant",
    [
        mutant if mutant in IN_EVERY_RUN else pytest.param(mutant, marks=pytest.mark.rest)
        for mutant in sorted(MUTANTS, key=lambda m: m.file)
    ],
    ids=slug,
)
def test_the_suite_notices(
    mutant: Mutant, tmp_path: Path, workers: Workers, request: pytest.FixtureRequest
) -> None:
    source = (ROOT / "src" / "noisewise" / mutant.file).read_text()
    assert source.count(mutant.old) == 1, f"the line to mutate must stand once in {mutant.file}"
    broken, output = source.replace(mutant.old, mutant.new), tmp_path / "output"
    run = {"tests": mutant.tests.split(), "output": str(output)}
    if workers.run(mutant, {"source": broken, **run}, tmp_path / "worker") == 1:
        assert "failed" in output.read_text(errors="replace")
        return
    copy, cold = request.getfixturevalue("copy"), request.getfixturevalue("cold")
    with broken_file(copy / "noisewise" / mutant.file, broken, 10 * (1 + MUTANTS.index(mutant))):
        code = cold.request({"source": str(copy), **run})
    said = output.read_text(errors="replace")
    if code != 1 and (missing := lacking(said)):
        pytest.skip(missing[0].missing)
    assert code == 1, f"survived: {mutant.idea}\n{said[-2000:]}"
    assert "failed" in said
    assert f"of {copy}" in said, "the tests must have run against the copy"


@contextmanager
def broken_file(file: Path, broken: str, seconds: int) -> Iterator[None]:
    """A file that is broken for a while, and some seconds younger, so that nothing compiled is taken for it."""
    source, made = file.read_text(), file.stat().st_mtime
    try:
        file.write_text(broken)
        os.utime(file, (made + seconds, made + seconds))
        yield
    finally:
        file.write_text(source)
        os.utime(file, (made, made))
