"""What every statistic offers: a lattice for its answer, its envelope, and its global sensitivity."""

from typing import Protocol, runtime_checkable

from noisewise.columns.column import Column, Neighbors
from noisewise.envelope import Envelope
from noisewise.lattice import Lattice


@runtime_checkable
class Statistic(Protocol):
    """A question about one column. ``str(statistic)`` is its name on the receipt."""

    def lattice(self, bounds: object, granularity: object) -> Lattice:
        """The lattice of the answer, from public parameters; raises their errors."""

    def sensitivity(self, lattice: Lattice, neighbors: Neighbors) -> int:
        """How many lattice steps one record can move the answer, over all data."""

    def envelope(self, column: Column, levels: int) -> Envelope:
        """The answer's lower and upper levels after 0..levels edits of a record. Secret."""
