"""No test depends on luck: what is drawn while one runs, in any process, comes from its name (seeded/sitecustomize.py).

A test that needs words of the system says how often it fails by chance, at most: ``@pytest.mark.luck(2**-64)``. All
tests together must stay below one in a million. Fixtures that tests share have names and words of their own.

`NOISEWISE_SEED=2 make test` draws other words: a test that then fails is right with the old ones by chance alone.
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
        """Begin with the words of this name, here and in processes that are started from now on."""
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
        if (together := sum(map(rate, items))) > MOST:
            raise pytest.UsageError(
                f"tests fail by chance in up to {float(together)} of all runs, more than {MOST}"
            )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.start(item.nodeid)
        if rate(item):
            del os.environ[PROCESSES]
            WORDS.start("")

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
        """What tests share is drawn from words of its own: which of them asks first depends on how fast others were."""
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


def rate(item: pytest.Item) -> Fraction:
    """How often a test fails by chance, at most."""
    if (mark := item.get_closest_marker("luck")) is None:
        return Fraction(0)
    (said,) = mark.args
    if not 0 < said < 1:
        raise pytest.UsageError(f"{item.nodeid} must say how often it fails by chance")
    return Fraction(said)
