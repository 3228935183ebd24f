"""Libraries that are imported when a test first uses them, so that collecting tests needs none of them."""

from importlib import import_module
from typing import Any


class LazyModule:
    """A module that is imported when one of its names is first used."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pytest looks for such names in every object it collects
            raise AttributeError(name)
        return getattr(import_module(self._module), name)
