"""Column: the few numbers that a statistic may ask of the data, wherever it lives."""

from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from noisewise.lattice import Lattice

Neighbors = Literal["add_remove", "swap"]


class Column(Protocol):
    """Records as lattice indices. Everything here but ``lattice`` and ``neighbors`` is secret."""

    @property
    def lattice(self) -> Lattice: ...

    @property
    def neighbors(self) -> Neighbors: ...

    @property
    def count(self) -> int:
        """How many records there are: those not missing under add/remove, all of them under swap."""

    def ranks(self, start: int, stop: int) -> NDArray[np.int64]:
        """The order statistics of ranks start..stop-1, counted from 1, with 1 <= start <= stop <= count + 1."""
