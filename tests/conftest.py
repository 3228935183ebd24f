"""What every test shares: all questions are registered, examples need no luck and no clock, and signals are heard.

A test that is made of the registered questions would otherwise be empty where nothing has loaded the library yet; and a
busy machine fails nothing.
"""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

import noisewise.public  # noqa: F401
from tests import seeding
from tests.programs import pytest_sessionfinish  # noqa: F401
from tests.schedule import beyond, group, in_order, is_rest, pytest_xdist_make_scheduler  # noqa: F401

settings.register_profile(
    "steady",
    deadline=None,
    derandomize="NOISEWISE_EXAMPLES" not in os.environ,  # which `make fuzz` sets, to look at others
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


def hear_signals() -> None:
    """Let tests, and the processes that they start, hear signals that nohup or a script had ignored.

    A program that is started inherits what is ignored, but no handlers. So under nohup a hangup does not end the tests,
    but would end what they start. The workers of pytest-xdist are started too, and end with their controller.
    """
    ignored = {number for number in signal.valid_signals() if signal.getsignal(number) is signal.SIG_IGN}
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        ignored -= {signal.SIGPIPE, signal.SIGXFSZ}  # Python ignores them, but for what it starts
        if "PYTEST_XDIST_WORKER" in os.environ:
            ignored.add(signal.SIGHUP)
    for number in ignored:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else lambda *_: None)


hear_signals()


def pytest_configure(config: pytest.Config) -> None:
    """While tests are collected nearly nothing is garbage: looking for it takes a quarter of that time."""
    gc.disable()
    config.pluginmanager.register(seeding.Seeds(config))


def pytest_collection_finish() -> None:
    """Look for garbage again, though not among all those tests."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    """Let go of everything, as libraries expect of a process that ends."""
    gc.unfreeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests that take longest first, and mark what `make test` leaves to `make test-all`."""
    items[:] = [items[place] for place in in_order([item.nodeid for item in items])]
    enough = beyond(item.nodeid for item in items if not is_rest(item.nodeid))
    for item in items:
        if (is_rest(item.nodeid) or item.nodeid in enough) and not item.get_closest_marker("round_trip"):
            item.add_marker("rest")
        if "server" in getattr(item, "fixturenames", ()) and group(item.nodeid) != "postgres":
            raise pytest.UsageError(
                f"{item.nodeid} needs a server: name its file in POSTGRES of tests/schedule.py"
            )
