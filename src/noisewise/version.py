"""The version of the library, as every receipt names it."""

__version__ = "0.1.0"
