"""Questions in groups that would take minutes are refused by public facts, and cost nothing."""

from typing import Any

import polars as pl
import pytest

from noisewise import Dataset, ParameterError, ask
from noisewise.dataset.batches import SharedReads
from tests.attacks.outcomes import Purse
from tests.every_question import OF_COLUMNS, ROWS

WIDE = {"bounds": (0, 2**40), "epsilon": 1, "granularity": 2**-10}
MOST = 2**14


def groups(count: int, purse: Purse | None = None) -> Any:
    rows = pl.DataFrame({"k": [1], "v": [1.0], "w": [2.0]})
    return Dataset(rows, ledger=purse or Purse()).group_by("k", keys=range(count))


def test_what_would_take_too_long_is_refused_by_public_facts() -> None:
    """However few the records are: keys, and possible answers that float64 does not tell apart."""
    purse, many = Purse(), 2**18
    with pytest.raises(ParameterError, match=r"^keys must be at most 16,384 for mad, got 16,385: .*; ask"):
        groups(MOST + 1, purse).mad("v", bounds=(0, 10), epsilon=1)
    said = r"^granularity must be coarser, or groups fewer, for .* by balance.*; or use mechanism="
    with pytest.raises(ParameterError, match=said):
        groups(2**13 + 1, purse).median("v", **WIDE)
    with pytest.raises(ParameterError, match=said):
        groups(many + 1, purse).median("v", **{**WIDE, "granularity": 1})
    assert purse.paid == 0
    assert len(groups(2**13 + 1).median("v", mechanism="inverse_sensitivity", **WIDE)) == 2**13 + 1
    assert len(groups(many + 1).median("v", **{**WIDE, "granularity": 2**12})) == many + 1


ALONE = {
    "ratio": (ask.ratio("v", "w", bounds=((0, 10), (1, 10)), granularity=0.01, epsilon=1), 1),
    "quantiles": (ask.quantiles("v", [0.1, 0.5, 0.9], bounds=(0, 10), epsilon=1), 1),
    "many quantiles": (ask.quantiles("v", [i / 12 for i in range(1, 12)], bounds=(0, 10), epsilon=1), 3),
    "their ends": (ask.quantiles("v", [0.1, 0.5, 0.9], bounds=(0, 10), epsilon=1, interval=0.9), 2),
    "five numbers": (ask.five_number_summary("v", bounds=(0, 10), epsilon=1), 1),
    "histogram": (ask.histogram("v", bins=[*range(1026)], epsilon=1), 3),
    "few bins": (ask.histogram("v", bins=[0, 1, 2], epsilon=1), 1),
    "most common": (ask.most_common("w", categories=[*range(1025)], epsilon=1), 3),
    "vector": (ask.vector_mean(["v", "w"], bounds=(0, 10), epsilon=1), 1),
    "private bounds": (ask.median("v", bounds="private", epsilon=1), 1),
    "mad": (ask.mad("v", bounds=(0, 10), epsilon=1), 1),
    "ends of mad": (ask.mad("v", bounds=(0, 10), epsilon=1, interval=0.9), 3),
    "gini": (ask.gini("v", bounds=(0, 10), epsilon=1), 1),
    "coins": (ask.median("v", bounds=(0, 2**19), granularity=1, epsilon=1, mechanism="permute_and_flip"), 64),
    "theil_sen": (ask.theil_sen("v", "w", bounds=(-1, 1), granularity=0.01, epsilon=1), 1),
}


@pytest.mark.parametrize("name", ALONE)
def test_what_is_answered_for_one_group_after_the_other_is_limited_by_its_draws(name: str) -> None:
    question, draws = ALONE[name]
    most = MOST // draws
    groups(most)._bind(question, SharedReads())
    with pytest.raises(
        ParameterError, match=rf"^keys must be at most {most:,} for .*, got {most + 1:,}: .*; ask"
    ):
        groups(most + 1)._bind(question, SharedReads())


@pytest.mark.parametrize("name", ["mean", "median", "count", "sum", "variance", "std", "iqr", "trimmed_mean"])
def test_what_is_answered_for_all_groups_at_once_is_not(name: str) -> None:
    arguments = {"count": (), "trimmed_mean": ("v", 0.1)}.get(name, ("v",))
    keywords = {} if name == "count" else {"bounds": (0, 10)}
    groups(10**5)._bind(getattr(ask, name)(*arguments, epsilon=1, **keywords), SharedReads())


def test_questions_of_one_debit_are_judged_together() -> None:
    """Several would multiply what one may take; also of draws that ball arithmetic decides."""
    purse = Purse()
    mads = {name: ask.mad("v", bounds=(0, 10)) for name in ("a", "b")}
    said = r"^keys must be at most 8,192 for mad, got 8,193: .* the time of 2 draws.*, or one question at a time$"
    with pytest.raises(ParameterError, match=said):
        groups(2**13 + 1, purse).agg(epsilon=1, **mads)
    medians = {name: ask.median("v", **{**WIDE, "epsilon": None}) for name in ("a", "b")}
    with pytest.raises(ParameterError, match=r"^granularity must be coarser, or groups fewer, for median"):
        groups(2**12 + 1, purse).agg(epsilon=1, **medians)
    assert purse.paid == 0
    assert len(groups(64, purse).agg(epsilon=1, **mads, **{"c": medians["a"]})) == 64


@pytest.mark.parametrize(
    "name", sorted(each for each in OF_COLUMNS if OF_COLUMNS[each].kind.capabilities.in_groups)
)
def test_ten_thousand_groups_are_answered_by_every_question(name: str) -> None:
    place = Dataset(pl.DataFrame({**{each: ROWS[each][:4] for each in ROWS}, "k": [0] * 4}), contributions=1)
    if OF_COLUMNS[name].dataset_keywords:
        place = Dataset(pl.DataFrame({**{each: ROWS[each][:4] for each in ROWS}, "k": [0] * 4}), unit="id")
    place.group_by("k", keys=range(10_000))._bind(OF_COLUMNS[name].question(), SharedReads())


def test_joint_quantiles_by_balance_are_judged_by_their_answers() -> None:
    three = ask.quantiles("v", [0.1, 0.5, 0.9], mechanism="balance", **WIDE)
    groups(2**13 // 3)._bind(three, SharedReads())
    with pytest.raises(ParameterError, match=r"^granularity must be coarser, or groups fewer, for quantiles"):
        groups(2**13 // 3 + 1)._bind(three, SharedReads())


def test_answers_with_intervals_are_judged_by_what_they_draw() -> None:
    """A mean is read off sums by Laplace noise; of a median the ends of the interval are drawn as it is."""
    purse, wide = Purse(), WIDE
    third = 2**13 // 3
    said = r"^granularity must be coarser, or groups fewer, for .* by balance.*; leave its interval out, or use mech"
    for mechanism, most in (("auto", third), ("inverse_sensitivity", 2**12)):
        how = {"interval": 0.9, "mechanism": mechanism, **wide}
        with pytest.raises(ParameterError, match=said):
            groups(most + 1, purse).median("v", **how)
        groups(most)._bind(ask.median("v", **how), SharedReads())
    with pytest.raises(ParameterError, match=r"^granularity must be .* for mean by balance"):
        groups(2**13 + 1, purse).mean("v", interval=0.9, mechanism="balance", **wide)
    assert purse.paid == 0
    assert len(groups(2**13 + 1).mean("v", interval=0.9, **wide)) == 2**13 + 1
