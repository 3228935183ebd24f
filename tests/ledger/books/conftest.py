"""A PostgreSQL for the books that need one."""

from tests.postgres import server, url

__all__ = ["server", "url"]
