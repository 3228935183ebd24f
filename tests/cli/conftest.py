"""A real PostgreSQL, for ledgers that live there."""

from tests.postgres import server, url

__all__ = ["server", "url"]
