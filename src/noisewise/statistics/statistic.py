"""What a statistic is: a frame to answer in, and an envelope. Everything except the envelope, score and sums is public.

`Statistic` says what a law needs, `Promises` what plans and intervals ask. A statistic of your own subclasses
`Statistic` and writes ``envelope``. The defaults of the rest fit an answer that is itself a record, like a quantile
(docs/tutorial/own-statistic.md).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple

from noisewise.calls import checked_class
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.envelope import Envelope, Side
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.records import Groups
from noisewise.statistics.summands import Box, Summands

BOTH: tuple[Neighbors, ...] = ("add_remove", "swap")


class Frame(NamedTuple):
    """The lattice that records are read on, and the set that answers lie in. Public."""

    records: Lattice
    answers: Answers


class Weight(NamedTuple):
    """If a draw has the score a, it is at most a*reach/total away from the answer.

    The total is a secret sum over records. One record adds at most ``unit`` to it.
    """

    reach: Fraction
    unit: Fraction
    total: str
    """The name of the total in texts."""


class Promises:
    """What plans, receipts and intervals ask of a statistic. The defaults promise nothing.

    A wrong promise makes a plan or an interval wrong. ``ends`` and ``summands`` are also paid for, like an
    answer, so they have proofs (docs/proofs/answer_interval.md).
    """

    __slots__ = ()

    def steady(self, neighbors: Neighbors) -> bool:
        """Whether one record moves the answer about equally far in any data. Then Laplace noise is best. Public."""
        return False

    def attained(self, levels: int) -> bool:
        """Whether the envelope is exact up to this level: each end is the answer for data that so many edits can
        make."""
        return False

    def floored(self, frame: Frame) -> bool:
        """Whether the answer can lie between two steps, and is rounded down to the lower one. Public."""
        return True

    def edits_off(self, neighbors: Neighbors, epsilon: Fraction, exponent: float) -> float | None:
        """A draw by balance is at most this many edits from the answer, except with probability N * e^-exponent.

        N is the number of possible answers. ``epsilon`` is as for ``pull``. None if no number is right for all data.
        """
        return None

    def records_moved_by(self, edits: int) -> int:
        """If there are at most this many records, the envelope lets ``edits`` edits reach any answer.

        That is because all records can be removed and two others added.
        """
        return max(edits - 2, 0)

    def least_records(self, epsilon: Fraction) -> int | None:
        """If there are at most this many records, a draw by balance can be anywhere. None if no number is known."""
        return None

    def distance_off(
        self, frame: Frame, size: int, epsilon: Fraction, miss: Fraction, normal: bool = False
    ) -> Fraction | None:
        """A draw by balance is at most this far from the answer of ``size`` records, except with probability ``miss``.

        ``epsilon`` is as for ``pull``, under add/remove. ``normal`` says that the noise is normal and not Laplace. None
        if no distance is known.
        """
        return None

    def weight(self, frame: Frame) -> Weight | None:
        """The `Weight` that bounds the error of balance, if the answer is a share of two sums; else None. Public."""
        return None

    ends_by_levels: ClassVar[bool] = False
    """Whether the levels of the envelope give the ends of an interval. Its first level must be one point."""

    steps_out: ClassVar[int] = 0
    """The ends of an interval are moved outwards by this many steps after they are drawn."""

    def ends(
        self, neighbors: Neighbors, epsilon: Fraction, answers: Answers, miss: Fraction
    ) -> "tuple[Statistic | None, Statistic | None] | None":
        """Two statistics for balance. A draw of the first is below the answer, and a draw of the second is above it.

        Each is wrong with probability at most ``miss``. ``epsilon`` is the price of one draw. If None takes the place
        of one statistic, the lowest or highest possible answer is that end. Return None if no statistics are known.
        """
        return None

    def summands(self, frame: Frame) -> Summands | None:
        """What one record adds to the sums that determine the answer. None if no sums determine it. Public."""
        return None

    def sums(self, column: Any) -> tuple[int, ...]:
        """The sums that determine the answer, in the order of ``summands``. Secret."""
        raise ParameterTypeError(str(self), "must follow from sums to have some") from None

    def sums_of_groups(self, groups: Groups) -> list[tuple[int, ...]]:
        """``sums`` of each group. Secret."""
        return [self.sums(groups.group(group)) for group in range(len(groups))]

    def image(self, box: Box, frame: Frame) -> tuple[int, int]:
        """Two indices. The answer lies between them if the sums lie in ``box``. An index may be out of range.

        If the box allows all sums to be 0, the answer of no records must also lie between the indices.
        """
        raise ParameterTypeError(str(self), "must follow from sums to have an image of them") from None


class Statistic(Promises, ABC):
    """A question about one column, or about rows of several. ``str(statistic)`` is its name on the receipt."""

    __slots__ = ()

    relations: ClassVar[tuple[Neighbors, ...]] = ("add_remove",)
    """The relations of neighbours for which the envelope is right. Use `BOTH` only if it reads ``column.neighbors``."""

    columns: ClassVar[int] = 1
    """The number of columns it reads. If there are several, ``envelope`` is given rows."""

    unit: ClassVar[str] = "record"
    """What one edit adds, removes or replaces: a record, an edge or a node. The receipt names this unit."""

    reads: ClassVar[Literal["records", "graph"]] = "records"
    """Whether it reads columns of records, or a graph on public nodes. In a graph an edge is a record."""

    fill: ClassVar[tuple[float, ...]] = (0.0, 0.0)
    """The row that replaces a missing row under swap. A missing record of a single column becomes the lower bound."""

    of_any_type: ClassVar[bool] = False
    """Whether columns of every type are accepted, because records are only counted. Every record is read as 1."""

    nearest_first: ClassVar[bool] = False
    """Whether the first levels are the same if fewer levels are asked for. Then most groups need only a few levels."""

    def __init_subclass__(cls) -> None:
        """Make wrong calls of the class raise our errors.

        A dataclass with slots is made twice, and only the second time it has its own ``__init__``.
        """
        super().__init_subclass__()
        if "__init__" in cls.__dict__ and not hasattr(cls.__dict__["__init__"], "__wrapped__"):
            checked_class()(cls)
        _start_afresh(cls)

    def __str__(self) -> str:
        return type(self).__name__.lower()

    @property
    def category(self) -> object:
        """The label that is asked about; None if records are numbers, or if all records count. Public."""
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines of text that this statistic adds to the receipt. They must not depend on records."""
        return ()

    def frame(self, bounds: object, granularity: object) -> Frame:
        """Where records and answers lie, from the parameters of the user. Raises if a parameter is wrong."""
        lattice = Lattice.between(bounds, granularity)
        return Frame(lattice, Answers.on(lattice))

    def frame_on(self, nodes: Callable[[], int], bounds: object, granularity: object) -> Frame:
        """`frame` of a statistic that reads a graph. ``nodes()`` returns the number of nodes, if that is public."""
        return self.frame(bounds, granularity)

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        """The most steps by which one record can move the answer.

        ``size()`` returns the number of records, which is public under swap, or the public number of a graph's nodes.
        """
        low, high = frame.answers.support
        if low is None or high is None:
            raise ParameterError(
                str(self),
                "must define sensitivity(), as its answers have an open side",
                why="how far can one record move it?",
            ) from None
        return high - low

    def support_of(self, frame: Frame, neighbors: Neighbors, size: int) -> tuple[int | None, int | None]:
        """The lowest and the highest answer, None for an open side. ``size`` is n if it is public, otherwise 0.

        Envelopes and scores must have exactly this support. It can be narrower than that of the answers, never wider.
        """
        return frame.answers.support

    def records_of(self, column: Any) -> int:
        """The number of records, or of edges or nodes of a graph. One edit changes it by at most 1. Secret."""
        if self.reads == "graph":
            return int(column.nodes) if self.unit == "node" else len(column.edges)
        return int(column.count)

    @abstractmethod
    def envelope(self, column: Any, answers: Answers, levels: int) -> Envelope:
        """The lowest and the highest answer after 0 to ``levels`` edits. Secret.

        ``column`` is a `Column`, or `RowsInMemory` if ``columns`` is more than one, or a `Graph`.
        """

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction | None:
        """The most that one record moves the score in either direction; None if there is no score. Public.

        ``epsilon`` is the price of one record. A statistic can have one score for a small epsilon and another score
        for a large one.
        """
        return None

    def has_score_on(self, answers: Answers) -> bool:
        """Whether these answers have a score. It is asked only if ``pull`` says that there is one. Public."""
        return True

    def removals_reach(self, frame: Frame) -> Side | None:
        """The side of the levels that removals reach, for shifted piecewise Laplace. Public.

        It is the lower side if no added record makes the answer smaller, as for a maximum. It is the upper side if no
        added record makes the answer larger, as for a minimum. For other answers it is None.
        """
        return None

    def shifted(
        self, neighbors: Neighbors, epsilon: Fraction, answers: Answers
    ) -> "tuple[Statistic, Fraction] | None":
        """For shifted inverse sensitivity: the statistic after some removals, and how much higher its score is.

        The score of that statistic is the score of this one plus a public constant. None if no such statistic is known.
        """
        return None

    def score(self, column: Any, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """How strongly the records pull at each answer. Secret. For large columns, ``levels`` on each side are enough.

        ``column`` is as for ``envelope``. ``epsilon`` is as for ``pull``, which says whether there is a score.
        """
        raise ParameterTypeError(str(self), "must define score(), as its pull says that it has one") from None

    def scores(self, groups: Groups, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """The scores of all groups, one after the other. Secret."""
        return Score.stack(
            [self.score(groups.group(place), answers, levels, epsilon) for place in range(len(groups))]
        )

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """The envelopes of all groups, one after the other. Secret.

        By default each group is computed alone. A statistic that computes all groups at once can compute a single
        column in the same way, as `OneGroup`.
        """
        return Envelope.stack(
            [self.envelope(groups.group(place), answers, levels) for place in range(len(groups))]
        )


OF_THE_ANSWER = ("ends", "ends_by_levels", "shifted", "summands")
"""Attributes that are proved for one answer. A class with another answer does not inherit them."""


def _start_afresh(kind: type[Statistic]) -> None:
    """Reset attributes that were proved for the parent's answer, if a class writes its own envelope or score.

    A pull says how far one record moves a score. So a class must write both or neither.
    """
    parent = next(each for each in kind.__mro__[1:] if issubclass(each, Statistic))

    def writes(name: str) -> bool:
        return name in vars(kind) or getattr(kind, name) is not getattr(parent, name)

    pull, score, envelope = map(writes, ("pull", "score", "envelope"))
    if pull != score and kind.pull not in (Statistic.pull, ScoreStatistic.pull):
        scored = next(each for each in kind.__mro__ if "score" in vars(each))
        raise ParameterTypeError(
            kind.__name__,
            f"must define pull() in the class that defines score(), which is {scored.__name__}",
            why="it says how far one record moves that score",
        ) from None
    if envelope and not score:
        kind.pull = Statistic.pull  # type: ignore[method-assign]  # there is no score of this answer
    if envelope or score:
        for name in OF_THE_ANSWER:
            if not writes(name):
                setattr(kind, name, getattr(Statistic, name))


class ScoreStatistic(Statistic):
    """A statistic with a score and no envelope. Only balance answers it.

    The score must be a sum over records. Each record's part must rise with the answer and lie between -1 and 1. Then a
    record that is added or removed moves the score by at most 1. A swap does both, so it moves the score by at most 2.
    Proof: docs/proofs/balance.md.
    """

    __slots__ = ()

    relations = BOTH

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction:
        return Fraction(1 if neighbors == "add_remove" else 2)

    @abstractmethod
    def score(self, column: Any, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """How strongly the records pull at each answer, as in `Statistic`. Secret."""

    def envelope(self, column: Any, answers: Answers, levels: int) -> Envelope:
        raise ParameterTypeError(str(self), "must be answered by balance, as it has no envelope") from None


def no_bounds(statistic: Statistic, bounds: object) -> None:
    """Refuse bounds for a statistic that needs none."""
    if bounds is not None:
        raise ParameterTypeError(
            "bounds", f"must be left out for {statistic}", got=describe(bounds)
        ) from None
