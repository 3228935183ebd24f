"""``python -m noisewise`` is the command line."""

import subprocess
import sys

from noisewise import __version__


def test_the_package_runs_as_a_command():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "noisewise", "--version"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"noisewise {__version__}\n", "")


def test_importing_it_runs_nothing():
    import noisewise.__main__ as module

    assert module.main.__module__ == "noisewise.cli"
