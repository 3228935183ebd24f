"""Bridges: noisewise releases in other libraries' accounts. Each imports its library when it is first crossed."""

from noisewise.bridges import dp_accounting, opendp

__all__ = ["dp_accounting", "opendp"]
