"""One break of the source, and the tests that must notice."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """``old`` becomes ``new`` in ``file``, and ``tests`` must fail."""

    idea: str
    file: str
    old: str
    new: str
    tests: str
