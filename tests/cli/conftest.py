"""What every test of a command may ask for: a file of data, and a real PostgreSQL for ledgers that live there."""

import pytest

from tests.cli.running import data
from tests.postgres import server, url

__all__ = ["server", "table", "url"]


@pytest.fixture
def table(tmp_path):
    """A file of people who do not exist."""
    return data(tmp_path)
