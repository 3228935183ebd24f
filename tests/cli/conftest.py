"""What every test of a command may ask for."""

import pytest

from tests.cli.running import data


@pytest.fixture
def table(tmp_path):
    """A file of people who do not exist."""
    return data(tmp_path)
