"""Numbers that say more than they should, randomness that comes twice, and budgets that are spent twice.

An attack is a function of a system: it returns what it found, or None. Each is tried on its stand-in first.
"""

import math
import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from threading import Barrier
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest

import noisewise as nws
from noisewise.hazmat import SeededBits, replay
from noisewise.kernel.sampling import SystemBits
from tests.attacks import vulnerable

System = Callable[[list[Any]], Any]
STEP = Fraction(1, 8)
THREADS = 4


# Low bits: an answer off the public lattice says where its centre was


def low_bits(draw: Callable[[float], float]) -> float | None:
    """An answer that is no multiple of the public step."""
    answers = [draw(center) for center in (0.0, 1.0, 1 / 3) for _ in range(8)]
    return next((answer for answer in answers if Fraction(answer) % STEP), None)


def test_low_bits_are_noticed_and_none_of_ours_say_anything() -> None:
    source = random.Random(1)
    assert low_bits(lambda center: vulnerable.laplace_of_floats(center, 1, source)) is not None
    asked: dict[str, Any] = {"bounds": (0, 10), "epsilon": 1, "granularity": STEP}
    for mechanism in ("laplace", "piecewise_laplace", "inverse_sensitivity", "permute_and_flip", "balance"):
        name: Any = mechanism
        assert low_bits(lambda center, name=name: nws.median([center], **asked, mechanism=name).value) is None  # type: ignore[misc]
    assert low_bits(lambda center: nws.mean([center], **asked).value) is None
    assert low_bits(lambda center: nws.sum([center], **asked).value) is None


# Order, overflow, missing values: sums are exact, and one record moves them by one record


SWALLOWED = [2.0**53, 1.0, 1.0, -(2.0**53)]
"""In float64 the ones are lost, or not, as they come."""


def order(system: System) -> list[Any] | None:
    """Two orders of the same rows that have different answers."""
    answers = {repr(system(list(rows))) for rows in permutations(SWALLOWED)}
    return sorted(answers) if len(answers) > 1 else None


def by_engine(make: Callable[[Any], Any], name: str, patch: pytest.MonkeyPatch) -> System:
    """The same question with the same random words behind an engine."""

    def ask(rows: list[Any]) -> Any:
        bits = SeededBits(5)
        patch.setattr(SystemBits, "words", lambda self, count: bits.words(count))
        held = nws.Dataset(make(pl.DataFrame({"x": rows})))
        return getattr(held, name)("x", bounds=(-(2**53), 2**53), granularity=4, epsilon=64).value

    return ask


ENGINES: dict[str, Callable[[pl.DataFrame], Any]] = {
    "pandas": lambda frame: pd.DataFrame({"x": frame["x"].to_list()}),
    "Polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "DuckDB": lambda frame: duckdb.from_arrow(frame.to_arrow()),
}


def test_an_answer_that_depends_on_the_order_of_rows_is_noticed() -> None:
    assert order(vulnerable.sum_in_the_order_given) is not None


@pytest.mark.parametrize("engine", ENGINES)
def test_no_sum_of_ours_depends_on_the_order_of_rows(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("sum", "mean") if engine != "DuckDB" else ("sum",):
        assert order(by_engine(ENGINES[engine], name, monkeypatch)) is None


def overflow(system: System) -> int | None:
    """How many of the largest records make the sum fall."""
    answers = [system([2**52] * count) for count in (1, 1000, 4000)]
    return None if answers == sorted(answers) and answers[-1] > answers[0] else 4000


def test_an_overflow_is_noticed_and_ours_does_not() -> None:
    assert overflow(vulnerable.sum_that_wraps) is not None

    def ours(rows: list[Any]) -> Any:
        return replay(nws.Sum(), rows, bounds=(0, 2**52), granularity=2, epsilon=64, seed=3).value

    assert overflow(ours) is None


def missing(system: System) -> Any | None:
    """A record that makes the answer no number."""
    for record in (math.nan, math.inf, -math.inf, None, 10**400):
        try:
            answer = system([1.0, 2.0, record])
        except Exception as error:
            return error
        if not math.isfinite(answer):
            return record
    return None


def test_a_missing_record_that_shows_is_noticed_and_none_of_ours_does() -> None:
    assert missing(vulnerable.mean_with_missing) is not None
    for ask in (nws.mean, nws.sum, nws.median, nws.variance, nws.gini):
        assert missing(lambda rows, ask=ask: ask(rows, bounds=(0, 10), epsilon=1).value) is None  # type: ignore[misc]


# Randomness and budgets, over forks and threads


def copied_by_fork(bits: Any) -> bool:
    """Whether a child draws what its parent draws."""
    bits.words(2)
    here, there = os.pipe()
    if (child := os.fork()) == 0:
        os.write(there, bits.words(4).tobytes())
        os._exit(0)
    drawn = os.read(here, 32)
    os.waitpid(child, 0)
    os.close(here)
    os.close(there)
    return bool(drawn == bits.words(4).tobytes())


def drawn_twice(bits: Any) -> int:
    """How many words came more than once in threads that draw at the same time."""
    start = Barrier(THREADS)

    def draw() -> list[int]:
        start.wait()
        return [word for _ in range(5) for word in bits.words(4).tolist()]

    with ThreadPoolExecutor(THREADS) as pool:
        drawn = [word for each in [pool.submit(draw) for _ in range(THREADS)] for word in each.result()]
    return len(drawn) - len(set(drawn))


@pytest.mark.fails_by_chance(
    2**-50
)  # two of 80 words, or of a child's and its parent's, are the same by chance
def test_randomness_that_comes_twice_is_noticed_and_ours_does_not() -> None:
    assert copied_by_fork(vulnerable.CopiedGenerator()) and not copied_by_fork(SystemBits())
    assert drawn_twice(vulnerable.UnlockedGenerator(THREADS)) and not drawn_twice(SystemBits())


def overspent(ask: Callable[[], Any], affordable: int) -> int:
    """How much more was spent than there was, by threads that ask at the same time."""
    start = Barrier(THREADS)

    def spend() -> int:
        start.wait()
        paid = 0
        for _ in range(2):
            try:
                ask()
                paid += 1
            except ValueError:  # a BudgetExceeded is one
                pass
        return paid

    with ThreadPoolExecutor(THREADS) as pool:
        answered = sum(each.result() for each in [pool.submit(spend) for _ in range(THREADS)])
    return answered - affordable


@pytest.mark.fails_by_chance(2**-60)  # that two entries have one nonce
def test_a_budget_that_is_spent_twice_is_noticed_and_ours_is_not(tmp_path: Path) -> None:
    purse = vulnerable.UnlockedBudget(3, THREADS)
    assert overspent(lambda: purse.debit(1), 3) > 0
    with nws.Ledger.open(tmp_path / "race.ledger", budget=nws.PureDP(3)) as ledger:
        assert overspent(lambda: nws.median([1], bounds=(0, 1), epsilon=1, ledger=ledger), 3) == 0
