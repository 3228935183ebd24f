"""The version on every receipt is the version of the package."""

import tomllib
from importlib import metadata
from pathlib import Path

import noisewise
from noisewise.version import __version__

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def test_the_version_is_that_of_the_package():
    assert __version__ == tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["version"]
    assert noisewise.__version__ == __version__


def test_an_installed_package_says_the_same():
    installed = [d.version for d in metadata.distributions(name="noisewise")]
    assert set(installed) <= {__version__}
