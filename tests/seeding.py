"""No test depends on chance: while a test runs, all processes draw from its name (seeded/sitecustomize.py).

A test that needs random bytes of the system states the largest probability that it fails by chance, as
``@pytest.mark.fails_by_chance(2**-64)``. The sum over all tests must stay below one in a million. A fixture that tests
share draws from a name of its own.

`NOISEWISE_SEED=2 make test` draws other bytes. A test that fails only then passes by chance with the usual ones.
"""

import os
from collections.abc import Generator
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.seeded.sitecustomize import PROCESSES, WORDS

MOST = Fraction(1, 10**6)
FOLDER = Path(__file__).with_name("seeded")


class Seeds:
    """A plugin of pytest."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.folder = config, ""
        self.other = os.environ.get("NOISEWISE_SEED", "")
        path = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p not in ("", str(FOLDER))]
        os.environ["PYTHONPATH"] = os.pathsep.join([str(FOLDER), *path])

    def start(self, name: str) -> None:
        """Draw from this name from now on, here and in processes that are started later."""
        self.folder = self.folder or str(self.config._tmp_path_factory.mktemp("processes"))  # type: ignore[attr-defined]
        seed = sha256(f"{self.other}{name}".encode()).hexdigest()[:32]
        os.environ[PROCESSES] = path = os.path.join(self.folder, seed)
        if os.path.exists(path):
            os.remove(path)
        WORDS.start(seed)

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        self.start(collector.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if (together := sum(map(chance_of_failure, items))) > MOST:
            raise pytest.UsageError(
                f"tests fail by chance in up to {float(together)} of all runs, more than {MOST}"
            )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.start(item.nodeid)
        if chance_of_failure(item):
            del os.environ[PROCESSES]
            WORDS.start("")

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
        """Let a shared fixture draw from its own name: which test needs it first depends on how fast others were."""
        if fixturedef.scope == "function":
            return (yield)
        before = WORDS.seed, WORDS.reads, os.environ.get(PROCESSES)
        self.start(f"{fixturedef.baseid} {fixturedef.argname} {request.param_index}")
        try:
            return (yield)
        finally:
            WORDS.seed, WORDS.reads = before[:2]
            os.environ.pop(PROCESSES)
            if before[2] is not None:
                os.environ[PROCESSES] = before[2]


def chance_of_failure(item: pytest.Item) -> Fraction:
    """The largest probability that a test fails by chance."""
    if (mark := item.get_closest_marker("fails_by_chance")) is None:
        return Fraction(0)
    (stated,) = mark.args
    if not 0 < stated < 1:
        raise pytest.UsageError(f"{item.nodeid} must say how often it fails by chance")
    return Fraction(stated)
