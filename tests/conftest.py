"""What every test shares: all questions are registered, and examples are found without a clock.

A test that is made of the registered questions would otherwise be empty where nothing has loaded the library yet; and a
busy machine fails nothing.
"""

import pytest
from hypothesis import settings

import noisewise.public  # noqa: F401

settings.register_profile("steady", deadline=None)
settings.load_profile("steady")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on PostgreSQL are of one group, so that one worker starts one server (tests/postgres.py)."""
    for item in items:
        if "server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("postgres"))
