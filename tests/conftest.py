"""The setup of all tests: the library is loaded, Hypothesis repeats its examples, and no signal is ignored.

No test waits for the imports of another. Hypothesis has no deadline, so that no test fails on a busy machine.
"""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

import noisewise
from tests import seeding
from tests.programs import pytest_sessionfinish  # noqa: F401
from tests.schedule import beyond, group, in_order, is_rest, pytest_xdist_make_scheduler  # noqa: F401

noisewise._load()

settings.register_profile(
    "steady",
    deadline=None,
    derandomize="NOISEWISE_EXAMPLES" not in os.environ,  # `make fuzz` sets it, for other examples
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


def hear_signals() -> None:
    """Handle the signals that nohup or a script ignores, so that the processes that tests start do not ignore them.

    A new process inherits ignored signals, but no handlers. So under nohup a hangup does not end the tests, but it ends
    the processes that they start. The workers of pytest-xdist must end with their controller.
    """
    ignored = {number for number in signal.valid_signals() if signal.getsignal(number) is signal.SIG_IGN}
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        ignored -= {signal.SIGPIPE, signal.SIGXFSZ}  # Python restores these in new processes
        if "PYTEST_XDIST_WORKER" in os.environ:
            ignored.add(signal.SIGHUP)
    for number in ignored:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else lambda *_: None)


hear_signals()


def pytest_configure(config: pytest.Config) -> None:
    """Stop garbage collection while tests are collected: it takes a quarter of the time and finds nearly nothing."""
    gc.disable()
    config.pluginmanager.register(seeding.Seeds(config))


def pytest_collection_finish() -> None:
    """Start garbage collection again, without the objects made so far."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    """Unfreeze all objects, as libraries expect when a process ends."""
    gc.unfreeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest groups of tests first, and mark the tests that `make test` leaves to `make test-all`."""
    items[:] = [items[place] for place in in_order([item.nodeid for item in items])]
    enough = beyond(item.nodeid for item in items if not is_rest(item.nodeid))
    for item in items:
        if (is_rest(item.nodeid) or item.nodeid in enough) and not item.get_closest_marker("round_trip"):
            item.add_marker("rest")
        if "server" in getattr(item, "fixturenames", ()) and group(item.nodeid) != "postgres":
            raise pytest.UsageError(
                f"{item.nodeid} needs a server: name its file in POSTGRES of tests/schedule.py"
            )


@pytest.fixture(autouse=True)
def forget_questions(request: pytest.FixtureRequest) -> None:
    """A test that replaces parts of the library asks its questions anew: those of earlier tests were remembered."""
    if "monkeypatch" in request.fixturenames:
        patch = request.getfixturevalue("monkeypatch")
        patch.setattr("noisewise.questions.remembered.PLAIN", frozenset())
