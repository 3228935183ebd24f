"""Checks of a score by enumeration: exactly how far the scores of two neighbours differ, wherever they can change.

Let delta be the difference of two neighbours' scores, as a function of the answer. The mechanism balance is private if
the pull of the score is at least a multiple of the largest |delta|. The multiple depends on the shape of delta
(docs/proofs/balance.md):

    it only rises, or only falls                                 1
    it has one sign, and |delta| first grows and then shrinks    1
    it has one sign                                              3/2
    none of the above                                            2

For any shape, half of (the total variation of delta + |its first value + its last value|) is also enough. For the
first two shapes this is the largest |delta|.

A swap can also be seen as two steps: one to the records that both datasets share, and one from there. It then needs the
sum of the pulls of both steps.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from noisewise.audit.checks import Checked, Records, Violation, law_of, request_of, value_text, world_of
from noisewise.audit.worlds import Dataset
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.exact import Number, exact_epsilon, spell
from noisewise.questions.request import Request
from noisewise.statistics import Statistic
from noisewise.tables.groups.grouped_column import LocalGroups

SHOWN = 8
"""The most values of a difference that are shown."""
RULES = {
    "add_remove": "it must rise all the way, or fall all the way",
    "swap": "it must have one sign, and its size must first grow and then shrink",
}


def check_score(
    statistic: Statistic,
    *,
    domain: Sequence[Any],
    bounds: Any = None,
    granularity: Number | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int = 1,
    most: int = 4,
    epsilon: Number = 1,
) -> Checked:
    """Check a score against all datasets of at most ``most`` records with values of ``domain``.

    It must rise with the answer and cover all answers, have the same public parts for all data, and not depend on the
    order of the records. A score with few levels must agree with the score of all levels, and `scores` with `score`.
    Between neighbours it must move in a shape for which balance is private, by at most its pull.

    Args:
        statistic: The statistic to check.
        domain: A few values that records can have; rows, as tuples, for a statistic of several columns.
        bounds: As in a release.
        granularity: As in a release.
        neighbors: As in a release.
        contributions: As in a release.
        most: The number of records of the largest dataset.
        epsilon: As in a release; a statistic may have one score for small ones and one for large ones.

    Raises:
        Violation: With the datasets and the numbers that show it.
    """
    world, values = world_of(domain, most, neighbors, contributions)
    price = exact_epsilon(epsilon) / contributions
    keywords = {"bounds": bounds, "granularity": granularity, "neighbors": neighbors}

    def request(x: Records) -> Request:
        return request_of(
            statistic, x, epsilon=epsilon, contributions=contributions, mechanism="balance", **keywords
        )

    step = request([]).frame.answers.granularity
    pull = request([]).person_pull
    scores: dict[Dataset, Score] = {}
    for x in world.datasets():
        records = [values[k] for k in x]
        scores[x] = score = _score(request(records), len(x) + 1, records)
        _public(records, score, next(iter(scores.values())))
        _complete(records, score)
        _ordered(records, score, _score(request(records[::-1]), len(x) + 1, records))
        for levels in range(1, len(x) + 1):
            _agrees(records, score, _score(request(records), levels, records), levels)
    if (
        type(statistic).scores is not Statistic.scores
        and statistic.columns == 1
        and neighbors == "add_remove"
    ):
        datasets = [[values[k] for k in x] for x in scores]
        for levels in (1, most + 1):
            _grouped(statistic, [request(x) for x in datasets], datasets, levels * contributions, price)
    pairs = 0
    for x, y in world.pairs():
        pairs += 1
        needed = _needed(_differences(scores[x], scores[y]))
        if needed > pull and (shared := _shared(x, y)) not in (x, y):
            parts = (_needed(_differences(scores[shared], scores[each])) for each in (x, y))
            needed = min(needed, sum(parts, Fraction(0)))
        if needed > pull:
            data = [[values[k] for k in each] for each in (x, y)]
            raise _moves(scores[x], scores[y], data, (pull, needed), step)
    return Checked(len(scores), pairs, f"rises, and moves in shape by at most {spell(pull)}")


def _score(request: Request, levels: int, x: Records) -> Score:
    law = law_of(request, levels, x)
    assert isinstance(law, BalanceLaw), "a score is looked at through balance"
    return law.score


def _points(*scores: Score) -> list[int]:
    """Return the positions at which a straight piece of one of the scores begins, and the end of the scores."""
    end = scores[0].end
    return sorted({int(p) for score in scores for p in score.positions if p < end} | {end})


def _heights(score: Score, points: list[int]) -> list[Fraction]:
    """Return the score at both ends of each stretch between two points. It is a straight line in a stretch."""
    positions, z = [*map(int, score.positions), score.end], score.coordinate.exact
    heights = []
    for ends in pairwise(points):
        i = bisect_right(positions, ends[0], hi=len(positions) - 1) - 1
        first, last = score.ends_of(i)
        left, right = positions[i : i + 2]
        heights += [
            first if first == last else first + (last - first) * (z(p) - z(left)) / (z(right) - z(left))
            for p in ends
        ]
    return heights


def _differences(near: Score, far: Score) -> list[Fraction]:
    """Return the difference of two scores at the ends of its straight pieces, from the lowest answer to the highest."""
    points = _points(near, far)
    return [b - a for a, b in zip(_heights(near, points), _heights(far, points), strict=True)]


def _needed(moves: list[Fraction]) -> Fraction:
    """Return the pull that balance needs if the difference of two scores has these values, in this order."""
    if not moves:
        return Fraction(0)
    largest = max(map(abs, moves))
    one_sign = all(move >= 0 for move in moves) or all(move <= 0 for move in moves)
    # the first two shapes need no rule of their own
    ways = sum((abs(b - a) for a, b in pairwise(moves)), Fraction(0))
    return min((ways + abs(moves[0] + moves[-1])) / 2, largest * (Fraction(3, 2) if one_sign else 2))


def _shared(x: Dataset, y: Dataset) -> Dataset:
    """Return the records that both datasets have."""
    return tuple(sorted((Counter(x) & Counter(y)).elements()))


def _public(x: Records, score: Score, other: Score) -> None:
    for name in ("support", "unit", "odds", "end"):
        if getattr(score, name) != getattr(other, name):
            raise Violation(
                f"the {name} of the score at {x} differs from that of other data, but it must be public"
            )
    if score.positions[0] != other.positions[0]:
        raise Violation(
            f"the score at {x} does not begin where that of other data begins, but this must be public"
        )


def _complete(x: Records, score: Score) -> None:
    if score.more.any():
        raise Violation(
            f"levels are missing at {x}: the score says that there are more, though all were asked for"
        )


def _ordered(x: Records, score: Score, backwards: Score) -> None:
    if any(_differences(score, backwards)):
        raise Violation(
            f"the score depends on the order of the records at {x}: it changes if they are reversed"
        )


def _agrees(x: Records, score: Score, part: Score, levels: int) -> None:
    """Check that the score ``part`` of few levels is exact within its levels, and a bound beyond them."""
    points = _points(score, part)
    inner = [int(p) for p in part.positions if p < part.end]
    more_below, more_above = part.more[0]
    wholes, parts = _heights(score, points), _heights(part, points)
    for i, (whole, known) in enumerate(zip(wholes, parts, strict=True)):
        p = points[i // 2]
        below = more_below and (len(inner) < 2 or p < inner[1])
        above = more_above and p >= int(part.positions[-1])
        if not (whole == known or (below and whole < known) or (above and whole > known)):
            raise Violation(
                f"{levels} {'level' if levels == 1 else 'levels'} of the score at {x} do not agree with all of "
                f"them: {spell(known)} for {spell(whole)}"
            )


def _grouped(
    statistic: Statistic, requests: list[Request], datasets: list[Records], levels: int, price: Fraction
) -> None:
    records, answers = requests[0].frame
    columns = [request.data.read(records, "add_remove") for request in requests]
    indices = [column.ordered() for column in columns]
    offsets = np.concatenate([[0], np.cumsum([each.size for each in indices])])
    groups = LocalGroups(np.concatenate(indices), offsets, records, "add_remove")
    together = statistic.scores(groups, answers, levels, price)
    for place, (x, column) in enumerate(zip(datasets, columns, strict=True)):
        alone, own = statistic.score(column, answers, levels, price), together[place]
        if any(_differences(alone, own)) or not np.array_equal(alone.more, own.more):
            raise Violation(f"scores() of groups is not score() of each: it differs at {x}")


def _moves(
    near: Score, far: Score, data: list[Records], pulls: tuple[Fraction, Fraction], step: Fraction
) -> Violation:
    """Return the violation in words. ``pulls`` has the pull of the score and the pull that it would need."""
    pull, needed = pulls
    moves, points = _differences(near, far), _points(near, far)
    largest = max(moves, key=abs)
    between = f"from {data[0]} to its neighbour {data[1]} the score moves by"
    if abs(largest) > pull:
        at = points[(moves.index(largest) + 1) // 2]
        return Violation(
            f"too strong: {between} {spell(largest)} at the answer {value_text(Fraction(at, near.unit), step)}, "
            f"but a person may move it by {spell(pull)}"
        )
    relation = "add_remove" if len(data[0]) != len(data[1]) else "swap"
    values = [spell(moves[0]), *(spell(b) for a, b in pairwise(moves) if a != b)]
    shown = ", ".join(values[:SHOWN]) + (", ..." if len(values) > SHOWN else "")
    return Violation(
        f"wrong shape: {between} {shown}, from the lowest answer to the highest, but {RULES[relation]}; "
        f"a pull of {spell(needed)} instead of {spell(pull)} would do"
    )
