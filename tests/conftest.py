"""What every test shares: examples are found without a clock, so that a busy machine fails nothing."""

import pytest
from hypothesis import settings

settings.register_profile("steady", deadline=None)
settings.load_profile("steady")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on PostgreSQL are of one group, so that one worker starts one server (tests/postgres.py)."""
    for item in items:
        if "server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("postgres"))
