"""Libraries that are imported where a test first uses them: collecting tests needs none of them."""

from importlib import import_module
from typing import Any


class Late:
    """A module under a name, imported when something of it is asked for."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # what pytest looks for in all that it finds
            raise AttributeError(name)
        return getattr(import_module(self._module), name)
