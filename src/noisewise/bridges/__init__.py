"""Bridges to other libraries for accounting and composition. A bridge imports its library when it is first used.

Read `dp_accounting` (it turns losses into events of Google's accountants) and `opendp` (it turns a release into a
measurement of OpenDP). Both use `outside`.

It may import questions, the ledger and the packages below them. Only the front door imports it.
"""

from noisewise.bridges import dp_accounting, opendp

__all__ = ["dp_accounting", "opendp"]
