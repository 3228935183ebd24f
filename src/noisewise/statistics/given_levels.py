"""Levels and balls that the caller computed. They are released on the caller's word that those of neighbours nest.

Wrong types, dimensions and numbers of levels are refused at once. The values of the levels never raise an error. Levels
are cut to the public support, and each side is made to widen. If the lowest and the highest answer of a level cross,
they change places. An answer of several numbers is cut to its box. Levels that keep the laws of `Envelope` are not
changed, and neither are radii that keep the laws of `RadiusBounds`. Proof: docs/proofs/given_levels.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.radii import FARTHEST, MOST_LEVELS, Balls, RadiusBounds
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import UTMOST, Answers
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.statistic import BOTH, Frame, Statistic
from noisewise.statistics.vector import Norm, VectorFrame, VectorStatistic

NAME = "own levels, nesting guaranteed by the caller"

WIDEST = 2**51
"""The largest distance of a public end from 0, and the largest global sensitivity."""

UNREAD = Lattice(0, 1, Fraction(1))
"""No records are read."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GivenLevels(Statistic):
    """An envelope that the caller made."""

    given: Envelope

    relations = BOTH

    def __str__(self) -> str:
        return NAME

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, high = _ends(self.given.support)
        _check_sizes("lower and upper", self.given.lower, self.given.upper)
        if (low is None or high is None) and self.given.stride is None:
            raise ParameterError(
                "stride",
                "must be given, the global sensitivity in steps, where a side of the support is open",
            ) from None
        if self.given.stride is not None:
            _check_stride(self.given.stride)
        return Frame(UNREAD, Answers(low, high, _step(granularity)))

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        """The distance of the ends, or the stride. No noise may be scaled by it: see docs/proofs/given_levels.md."""
        low, high = frame.answers.support
        if low is None or high is None:
            return int(self.given.stride or 0)
        return high - low

    def records_moved_by(self, edits: int) -> int:
        return -1  # the number of records is not known here

    def envelope(self, column: Any, answers: Answers, levels: int) -> Envelope:
        low = -UTMOST if answers.low is None else answers.low
        high = UTMOST if answers.high is None else answers.high
        one, other = (np.clip(side, low, high) for side in (self.given.lower, self.given.upper))
        lower = np.minimum.accumulate(np.minimum(one, other))
        upper = np.maximum.accumulate(np.maximum(one, other))
        stride = None if self.given.stride is None else int(self.given.stride)
        return Envelope.of(lower, upper, answers.support, stride)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GivenBalls(VectorStatistic):
    """Balls that the caller made."""

    given: Balls
    norm: Norm

    relations = BOTH

    def __str__(self) -> str:
        return NAME

    def frame(self, columns: int, bounds: object, granularity: object) -> VectorFrame:
        centre, radii = self.given.centre, self.given.radii
        if not _is_flat(centre, "ib") or not centre.size:
            raise ParameterTypeError("centre", "must be a flat sequence of whole numbers") from None
        if self.norm not in ("l1", "linf"):
            raise ParameterError("norm", 'must be "l1" or "linf"', got=describe(self.norm)) from None
        stride: object = radii.stride
        if isinstance(stride, int) and stride >= FARTHEST:
            raise ParameterError(
                "radii",
                "must not end by jump_after for an answer of several numbers",
                why="only the envelope of one number has ends to go to",
            ) from None
        _check_stride(radii.stride)
        if not _is_flat(radii.steps, "i"):
            raise ParameterTypeError("radii", "must be a flat sequence of whole numbers") from None
        if radii.steps.size > MOST_LEVELS:
            raise ParameterError(
                "radii", f"must be at most {MOST_LEVELS:,}", got=f"{radii.steps.size:,}"
            ) from None
        low, high = np.full(centre.size, -WIDEST), np.full(centre.size, WIDEST)
        if self.given.box is not None:
            low, high = _corners(self.given.box, centre.size)
        return VectorFrame((UNREAD,) * centre.size, _step(granularity), low, high)

    def sensitivity(self, frame: VectorFrame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return int(self.given.radii.stride)

    def radii(self, rows: Any, frame: VectorFrame, levels: int) -> tuple[Integers, RadiusBounds]:
        given = self.given.radii
        radii = RadiusBounds(given.steps.astype(np.int64), int(given.stride))
        return np.clip(self.given.centre.astype(np.int64), frame.low, frame.high), radii


def _is_flat(given: object, kinds: str) -> bool:
    """Whether this is a flat array of numbers of these kinds. Somebody who makes an object by hand can pass
    anything."""
    return isinstance(given, np.ndarray) and given.ndim == 1 and given.dtype.kind in kinds


def _check_sizes(name: str, lower: Integers, upper: Integers) -> None:
    if not (_is_flat(lower, "i") and _is_flat(upper, "i")):
        raise ParameterTypeError(name, "must be flat sequences of whole numbers") from None
    if lower.ndim != 1 or lower.shape != upper.shape or not 1 <= lower.size <= MOST_LEVELS:
        raise ParameterError(
            name,
            f"must be flat and equally long, of 1 to {MOST_LEVELS:,} levels",
            got=f"{lower.shape} and {upper.shape}",
        ) from None


def _check_stride(stride: object) -> None:
    if isinstance(stride, bool) or not isinstance(stride, (int, np.integer)):
        raise ParameterTypeError("stride", "must be a whole number of steps", got=describe(stride)) from None
    if not 1 <= stride <= WIDEST:
        raise ParameterError("stride", "must be from 1 to 2^51 steps", got=describe(stride)) from None


def _step(granularity: object) -> Fraction:
    """The step that levels are counted in, by default 1."""
    step = Fraction(1) if granularity is None else exact("granularity", granularity)
    if step <= 0:
        raise ParameterError("granularity", "must be above 0", got=describe(granularity)) from None
    return step


def _ends(support: object) -> tuple[int | None, int | None]:
    """A public range of indices; None for an open side."""
    if not isinstance(support, (tuple, list)) or len(support) != 2:
        raise ParameterTypeError(
            "support", "must be a pair (lowest, highest)", got=describe(support)
        ) from None
    ends: list[int | None] = []
    for end in support:
        if isinstance(end, bool) or not (end is None or isinstance(end, (int, np.integer))):
            raise ParameterTypeError(
                "support", "must be whole numbers of steps, or None", got=describe(end)
            ) from None
        if end is not None and abs(int(end)) > WIDEST:
            raise ParameterError("support", "must be within 2^51 steps of 0", got=describe(end)) from None
        ends.append(None if end is None else int(end))
    low, high = ends
    if low is not None and high is not None and low >= high:
        raise ParameterError(
            "support", "must be a pair of which the first is lower", got=f"({low}, {high})"
        ) from None
    return low, high


def _corners(box: object, dimensions: int) -> tuple[Integers, Integers]:
    """The lowest and the highest index of each coordinate, public."""
    if not isinstance(box, (tuple, list)) or len(box) != 2:
        raise ParameterTypeError("box", "must be a pair (lowest, highest)", got=describe(box)) from None
    corners = [np.asarray(corner) for corner in box]
    if any(corner.dtype.kind not in "iu" or corner.shape not in ((), (dimensions,)) for corner in corners):
        raise ParameterTypeError(
            "box", f"must be whole numbers, one for all coordinates or {dimensions} of them"
        ) from None
    low, high = (
        np.broadcast_to(np.clip(corner, -WIDEST, WIDEST), dimensions).astype(np.int64) for corner in corners
    )
    if np.any(low >= high):
        raise ParameterError("box", "must have a lower end below the upper one in each coordinate") from None
    return low, high
