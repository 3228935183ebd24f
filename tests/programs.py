"""Programs of the system that some tests need: Java, a browser, PgBouncer, git.

    python -m tests.programs      installs missing programs, if apt is there and the user is root

A test is skipped if its program is missing, and the last line of the run counts such tests. With
NOISEWISE_NOTHING_MISSING=1, which .ci/run sets, the run fails.
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
    """A program, the tests that need it, and the Debian packages that have it, the best first."""

    name: str
    tests: str
    packages: tuple[str, ...]
    find: Callable[[], str | None]

    @property
    def missing(self) -> str:
        """Why a test is skipped."""
        return f"no {self.name}"

    def path_or_skip(self) -> str:
        """The path of the program; skips the current test if there is none."""
        return self.find() or pytest.skip(self.missing)


def command(*names: str) -> Callable[[], str | None]:
    """A function that finds the first of these commands that is installed."""
    return lambda: next(filter(None, map(shutil.which, names)), None)


def java_home() -> str | None:
    """The folder of a Java runtime for Spark. If JAVA_HOME is set, no other folder is searched."""
    homes = [*sorted(Path("/usr/lib/jvm").glob("java-[12][0-9]*"))]
    if java := shutil.which("java"):
        homes.append(Path(java).resolve().parents[1])
    if home := os.environ.get("JAVA_HOME"):
        homes = [Path(home)]
    return next((str(home) for home in homes if _java_version(home) >= 17), None)


def _java_version(home: Path) -> int:
    """The major version; 0 if there is no Java."""
    try:
        done = subprocess.run([home / "bin" / "java", "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return 0
    version = re.search(r'version "(\d+)', done.stderr)
    return int(version[1]) if version else 0


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
    """The programs that a report of pytest names as missing."""
    return [program for program in PROGRAMS if f": {program.missing}" in text]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """Print how many tests were skipped because a program is missing."""
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
            f"skipped because a program is missing: {', '.join(tests)}{end}", red=strict, yellow=True
        )
        session.exitstatus = session.exitstatus or INCOMPLETE * strict
    return result


def install() -> None:
    """Install missing programs if possible, and print those that are still missing."""
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
    """Whether apt-get succeeded."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "-qq", *words]
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    install()
