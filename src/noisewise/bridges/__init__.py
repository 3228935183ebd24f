"""Bridges to other libraries for accounting and composition. Each imports its library when it is first used.

Read `dp_accounting` (losses as events of Google's accountants) and `opendp` (a release as a measurement of OpenDP).
Both use `outside`.

It imports questions, the ledger and what stands below them. Only the front door imports it.
"""

from noisewise.bridges import dp_accounting, opendp

__all__ = ["dp_accounting", "opendp"]
