"""Later: a table that an engine brings into memory after the debit, and not before."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from noisewise.secret import Secret


@dataclass(frozen=True, slots=True, repr=False)
class Later(Secret):
    """How to fetch it; its declared types were judged when it was made."""

    fetch: Callable[[], Any]
