"""Bridges to other libraries for accounting and composition. Each imports its library when it is first used."""

from noisewise.bridges import dp_accounting, opendp

__all__ = ["dp_accounting", "opendp"]
