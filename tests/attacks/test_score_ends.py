"""An answer, both ends of its interval by a score, and a count: how far all of them together move between neighbours.

Every small dataset, every pair of neighbours, by both relations. Laws are read as they are drawn from, one after the
other (`noisewise.audit.draws`), and the largest ratio of probabilities is enclosed in a ball. That it is the sum over
the draws rests on their independence, which is looked at, too. The attack succeeds on ends whose pull is half of what
it should be, for every question and relation: epsilon is so large that the worst pair comes close to the receipt.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import pytest

from noisewise.audit.draws import Draws, certain
from noisewise.questions.question import KINDS, Question
from noisewise.statistics.score_end import ScoreEnd
from tests.attacks.outcomes import TIMES

RECORDS = (0.0, 1.8, 4.0)
SIZE = 2 if TIMES == 1 else 5
OUTCOMES = list(range(5))
COUNTS = list(range(2 * SIZE))
"""Of a count: from all records on the ratio stays as it is."""
EPSILON = 60
ASKED: dict[str, tuple[Any, ...]] = {"huber_mean": (0.25,)}
CASES = [
    (name, relation, counted)
    for name in ASKED
    for relation, counted in (("add_remove", False), ("add_remove", True), ("swap", False))
]

Data = tuple[float, ...]


def question(name: str, data: Data, relation: str, counted: bool) -> Any:
    keywords = {"bounds": (0, 4), "granularity": 1, "epsilon": EPSILON, "interval": Fraction(4, 5)}
    if counted:
        keywords["with_count"] = True
    return Question(KINDS[name], (), ASKED[name], keywords).bind([list(data)], neighbors=relation)


def neighbours(relation: str) -> Iterator[tuple[Data, Data]]:
    """All pairs of datasets with one record more, or with one record replaced."""
    for size in range(SIZE + 1):
        for data in combinations_with_replacement(RECORDS, size):
            if relation == "add_remove":
                if size < SIZE:
                    yield from ((data, tuple(sorted((*data, record)))) for record in RECORDS)
                continue
            for out in range(size):
                rest = (*data[:out], *data[out + 1 :])
                yield from ((data, tuple(sorted((*rest, r)))) for r in RECORDS if r != data[out])


def drawn(draws: Draws) -> list[Any]:
    """ln of the probabilities of all outcomes of each draw, as no draw decides the law of a later one."""
    found: list[Any] = []
    while (laws := draws.laws(((0,),) * len(found))) is not None:
        found.append(laws[0].logs(OUTCOMES if len(found) < 3 else COUNTS))
    return found


def largest(name: str, relation: str, counted: bool) -> tuple[Any, Fraction]:
    """The largest ln of a ratio of joint probabilities over all pairs, as a ball, and what the receipt says."""
    draws, logs = {}, {}
    for size in range(SIZE + 1):
        for data in combinations_with_replacement(RECORDS, size):
            draws[data] = Draws.of(question(name, data, relation, counted))
            logs[data] = drawn(draws[data])

    def ratios(pair: tuple[Data, Data]) -> list[Any]:
        return [here - there for here, there in zip(logs[pair[0]], logs[pair[1]], strict=True)]

    pairs = [both for one, other in neighbours(relation) for both in ((one, other), (other, one))]
    worst = max(pairs, key=lambda pair: sum(float(each.max()) for each in ratios(pair)))
    path = tuple((int(each.argmax()),) for each in ratios(worst))
    stated = question(name, (), relation, counted).loss.as_pure().epsilon
    return certain(draws[worst[0]], draws[worst[1]], path), stated


@pytest.mark.parametrize(("name", "relation", "counted"), CASES)
def test_all_draws_together_lose_no_more_than_the_receipt_says(
    name: str, relation: str, counted: bool
) -> None:
    loss, stated = largest(name, relation, counted)
    assert stated == EPSILON
    assert float(loss.upper()) <= stated + 1e-12
    assert float(loss.lower()) > stated * 3 / 4, "the worst pair of this world is close to what it may be"


@pytest.mark.parametrize(("name", "relation", "counted"), CASES)
def test_ends_that_understate_their_pull_are_noticed(
    name: str, relation: str, counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pull = ScoreEnd.pull
    monkeypatch.setattr(ScoreEnd, "pull", lambda self, *asked: pull(self, *asked) / 2)
    assert float(largest(name, relation, counted)[0].lower()) > EPSILON


@pytest.mark.parametrize("name", ASKED)
def test_no_draw_decides_the_law_of_a_later_one(name: str) -> None:
    draws = Draws.of(question(name, (0.0, 1.8), "add_remove", True))
    paths: list[list[Any]] = [[()], [()]]
    for end in range(2):
        while (laws := draws.laws(tuple(paths[end][1:]))) is not None:
            outcomes = [law.outcomes() for law in laws]
            paths[end].append(tuple(each[-end] for each in outcomes))
    low, high = (tuple(path[1:]) for path in paths)
    assert len(low) == len(high) == 4
    for step in range(4):
        one, other = draws.laws(low[:step]), draws.laws(high[:step])
        assert one is not None and other is not None
        outcomes = one[0].outcomes()
        assert outcomes == other[0].outcomes()
        assert one[0].logs(outcomes).tolist() == other[0].logs(outcomes).tolist()
