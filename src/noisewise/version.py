"""The version of the library, as every receipt names it."""

__version__ = "0.2.0.dev0"
