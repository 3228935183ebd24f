"""Programs of the system that some tests need: Java, a browser, PgBouncer, git.

    python -m tests.programs      installs those that are missing, where there is apt and the user is root

A test asks for the program it needs, and is skipped where it is missing. The last line of a run says how many tests
were skipped for that. With NOISEWISE_NOTHING_MISSING=1, which .ci/run sets, such a run fails.
"""

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest

STRICT = "NOISEWISE_NOTHING_MISSING"
INCOMPLETE = 6
"""The exit code of a run that skipped tests which it must not skip; pytest's own end at 5."""


@dataclass(frozen=True)
class Program:
    """A program, which tests need it, and the packages of Debian that have it, best first."""

    name: str
    tests: str
    packages: tuple[str, ...]
    find: Callable[[], str | None]

    @property
    def missing(self) -> str:
        """Why a test is skipped."""
        return f"no {self.name}"

    def needed(self) -> str:
        """Where it is; skips the test that asks where there is none."""
        return self.find() or pytest.skip(self.missing)


def command(*names: str) -> Callable[[], str | None]:
    """Finds the first of these commands that is installed."""
    return lambda: next(filter(None, map(shutil.which, names)), None)


def java_home() -> str | None:
    """The folder of a Java runtime that Spark starts with; JAVA_HOME, where it is set, is the only one to look at."""
    homes = [*sorted(Path("/usr/lib/jvm").glob("java-[12][0-9]*"))]
    if found := shutil.which("java"):
        homes.append(Path(found).resolve().parents[1])
    if said := os.environ.get("JAVA_HOME"):
        homes = [Path(said)]
    return next((str(home) for home in homes if _java_version(home) >= 17), None)


def _java_version(home: Path) -> int:
    """The number of the release, 0 where there is no Java."""
    try:
        done = subprocess.run([home / "bin" / "java", "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return 0
    said = re.search(r'version "(\d+)', done.stderr)
    return int(said[1]) if said else 0


JRES = tuple(f"{name}-jre-headless" for name in ("openjdk-17", "openjdk-21", "default"))
JAVA = Program("Java 17 or newer", "on Spark", JRES, java_home)
CHROMIUM = Program(
    "Chromium",
    "in a browser",
    ("chromium",),
    command("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
)
PGBOUNCER = Program("PgBouncer", "behind a pooler", ("pgbouncer",), command("pgbouncer"))
GIT = Program("git", "of what changed", ("git",), command("git"))
PROGRAMS = (JAVA, CHROMIUM, PGBOUNCER, GIT)


def lacking(text: str) -> list[Program]:
    """Those that pytest says tests were skipped for."""
    return [program for program in PROGRAMS if f": {program.missing}" in text]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """Below pytest's own last line, say what was skipped for want of a program."""
    result = yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")  # a worker of xdist has none
    reports = reporter.stats.get("skipped", []) if reporter else []
    counts = Counter(program for report in reports for program in lacking(str(report.longrepr)))
    if counts:
        strict = bool(os.environ.get(STRICT))
        tests = [
            f"{n} test{'s' * (n > 1)} {program.tests} ({program.missing})" for program, n in counts.items()
        ]
        end = f"; {STRICT} forbids that" if strict else ""
        reporter.write_line(
            f"skipped for want of a program: {', '.join(tests)}{end}", red=strict, yellow=True
        )
        session.exitstatus = session.exitstatus or INCOMPLETE * strict
    return result


def install() -> None:
    """Install what is missing, where that can be done; say what is missing still."""
    missing = [program for program in PROGRAMS if program.find() is None]
    if missing and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"installing what tests need: {', '.join(program.name for program in missing)}", flush=True)
        _apt_get("update")
        for program in missing:
            any(_apt_get("install", "--yes", "--no-install-recommends", name) for name in program.packages)
    for program in missing:
        if program.find() is None:
            print(f"{program.missing}: its tests are skipped. Debian: apt-get install {program.packages[0]}")


def _apt_get(*words: str) -> bool:
    """Whether it did."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "-qq", *words]
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    install()
