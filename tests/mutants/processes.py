"""Processes that run the tests of mutants: they have imported what the tests need, and fork for each mutant.

Starting Python, importing the library and collecting tests takes longer than the tests of most mutants. So all mutants
of one file share a worker, a process that has imported the unbroken library and collected the tests named beside them.
For each mutant it forks, gives the functions that the mutant breaks their new code (broken.py), and runs its tests.

A worker cannot fork if its tests start threads while they are collected, as Polars does. It says so, and every mutant
of that file gets a worker of its own.

Code outside of functions changes only if it is imported anew, and a test that starts a process does not see what was
changed in this one. Such mutants run on a copy of the source, in the child of a process that never imported noisewise.

    python -P processes.py warm SRC      starts workers, with the library in the folder SRC
    python -P processes.py cold          runs copies

With -P Python does not import from the folder of this file, where lists of mutants have the names of other modules.
Requests and answers are lines of JSON on stdin and stdout. A worker reads the same two until it is told to close.
"""

import gc
import importlib
import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

READY = [
    *("numpy", "pytest", "_pytest.assertion.rewrite", "hypothesis", "flint", "narwhals", "pandas"),
    *("scipy.stats", "duckdb", "polars", "typer.testing", "psycopg", "networkx", "igraph"),
    *("anyio.pytest_plugin", "_hypothesis_pytestplugin"),
]
QUIET = [
    "-x",
    "-q",
    "--tb=native",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
]
"""The warning is of what is imported above, before pytest could rewrite its asserts."""
TIMEOUT = 300
"""Seconds after which a mutant that hangs in a forked process is left to a copy."""
REQUESTS, ANSWERS = 3, 4
"""File descriptors of requests and answers, out of the way of what tests read and print."""


def main(kind: str, *source: str) -> None:
    sys.path[:0] = source
    os.dup2(0, REQUESTS)
    os.dup2(1, ANSWERS)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    for name in READY:
        importlib.import_module(name)
    if kind == "warm":
        library = importlib.import_module("noisewise")
        for name in library.__all__:  # each is imported where it is first asked for
            getattr(library, name)
    while request := next_request():
        child = os.fork()
        if child == 0:
            start_worker(**request) if kind == "warm" else run_copy(**request)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        answer(code)


def next_request() -> dict[str, Any]:
    """The next request; empty where there is none any more. Read by the byte, so that nothing is taken from a child."""
    line = bytearray()
    while (byte := os.read(REQUESTS, 1)) not in (b"", b"\n"):
        line += byte
    return json.loads(line or b"{}")


def answer(value: Any) -> None:
    os.write(ANSWERS, json.dumps(value).encode() + b"\n")


def run_copy(source: str, tests: list[str], output: str) -> None:
    """Run the tests of a mutant on a copy of the source that is broken."""
    _print_to(output)
    os.setsid()
    code = 99
    try:
        compiled = f"{source}_compiled"  # of the tests, too, and for all mutants of a worker
        os.environ |= {"PYTHONPATH": source, "PYTHONPYCACHEPREFIX": compiled}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode, sys.pycache_prefix = False, compiled
        sys.path.insert(0, source)
        assert not [name for name in sys.modules if name.partition(".")[0] in ("noisewise", "tests")]
        code = int(pytest.main([*QUIET, *tests], plugins=[NoShrinking()]))
        print(f"of {Path(sys.modules['noisewise'].__file__ or '').parent}", flush=True)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def start_worker(module: str, tests: list[str], place: str, alone: dict[str, Any] | None = None) -> None:
    """Let pytest collect the files of the tests, and fork for every request instead of running them.

    With ``alone`` the worker runs one mutant only, without a fork.
    """
    _print_to(f"{place}.log")
    code = 99
    try:
        importlib.import_module(module)
        files = sorted({name.partition("::")[0] for name in tests if name.startswith("tests/")})
        code = int(
            pytest.main(
                [*QUIET, f"--basetemp={place}", *files], plugins=[NoShrinking(), Worker(module, alone)]
            )
        )
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


class NoShrinking:
    """Hypothesis need not look for a smaller failure, nor remember one."""

    def pytest_collection(self) -> None:
        from hypothesis import Phase, settings

        phases = set(settings.default.phases) - {Phase.shrink, Phase.explain}  # type: ignore[union-attr]
        settings.register_profile("no shrinking", settings.default, phases=tuple(phases), database=None)
        settings.load_profile("no shrinking")


class Worker:
    """A plugin of pytest by which one collection serves every mutant of a file."""

    def __init__(self, module: str, alone: dict[str, Any] | None) -> None:
        self.module, self.alone = module, alone
        self.output: Any = None

    def pytest_runtestloop(self, session: Any) -> object:
        """Fork for each request. The child returns None, so that pytest goes on to run the tests asked for."""
        from tests.mutants.broken import Functions

        gc.unfreeze()  # tests/conftest.py has frozen all functions, and frozen ones are not found
        functions = Functions(sys.modules[self.module])
        if self.alone is not None:
            return self._run(session, functions, **self.alone)
        if not _can_fork():
            os._exit(ALONE)
        gc.collect()
        gc.freeze()  # what is shared with the children stays shared
        answer("open")
        while request := next_request():
            child = os.fork()
            if child == 0:
                return self._run(session, functions, **request)
            answer(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        return True

    def _run(self, session: Any, functions: Any, source: str | None, tests: list[str], output: str) -> None:
        os.setsid()
        signal.alarm(TIMEOUT)
        self.output = open(output, "w")  # noqa: SIM115  # until the process ends
        session.items = _chosen(session, tests)
        if not session.items:
            self._end("no such test", 4)
        try:
            if source is not None:
                functions.become(source)
        except LookupError as error:
            self._end(f"not by its functions: {error}", COLD)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            print(f"failed {report.nodeid}\n{report.longreprtext}", file=self.output, flush=True)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """End when all fixtures are torn down: nobody reads a summary, nor needs a last collection of garbage."""
        os._exit(int(exitstatus))

    def _end(self, why: str, code: int) -> None:
        print(why, file=self.output, flush=True)
        os._exit(code)


ALONE, COLD = 41, 42
"""Exit codes: of a worker that cannot fork, and of a mutant that needs a copy of the source."""


def _can_fork() -> bool:
    """Whether no thread is running but this one and those that look after memory, which no test misses."""
    try:
        threads = [thread.joinpath("comm").read_text() for thread in Path("/proc/self/task").iterdir()]
    except OSError:
        return False
    return all(name.startswith(("python", "jemalloc", "polars-ooc")) for name in threads)


def _chosen(session: Any, tests: list[str]) -> list[Any]:
    """The tests that are named, in the order of the names; with ``-k`` and a word those of them that it fits."""
    named = tests[: tests.index("-k")] if "-k" in tests else tests
    chosen = [item for name in named for item in session.items if _matches(item.nodeid, name)]
    if named != tests:
        session.config.option.keyword = tests[-1]
        session.config.hook.pytest_collection_modifyitems(
            session=session, config=session.config, items=chosen
        )
    return chosen


def _matches(nodeid: str, name: str) -> bool:
    """Whether a test is the one that is named, or in the file, class or folder of that name."""
    return nodeid == name or nodeid.startswith((f"{name}::", f"{name}[", f"{name.rstrip('/')}/"))


def _print_to(path: str) -> None:
    out = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)


if __name__ == "__main__":
    main(*sys.argv[1:])
