"""A PostgreSQL for the ledgers that the explorer asks for."""

from tests.postgres import server, url

__all__ = ["server", "url"]
