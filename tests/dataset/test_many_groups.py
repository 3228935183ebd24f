"""Questions in groups that would take minutes are refused by public facts, and cost nothing."""

from typing import Any

import polars as pl
import pytest

from noisewise import Dataset, ParameterError, ask
from noisewise.dataset.batches import SharedReads
from tests.attacks.outcomes import Purse


def test_what_would_take_too_long_is_refused_by_public_facts() -> None:
    """However few the records are: keys, and possible answers that float64 does not tell apart."""
    purse = Purse()
    many, wide = 2**18, {"bounds": (0, 2**40), "epsilon": 1, "granularity": 2**-10}

    def groups(count: int) -> Any:
        return Dataset(pl.DataFrame({"k": [1], "v": [1.0]}), ledger=purse).group_by("k", keys=range(count))

    with pytest.raises(ParameterError, match=r"^keys must be at most 262,144 for mad.*, got 262,145; ask"):
        groups(many + 1).mad("v", bounds=(0, 10), epsilon=1)
    said = r"^granularity must be coarser, or groups fewer, for .* by balance.*; or use mechanism="
    with pytest.raises(ParameterError, match=said):
        groups(2**13 + 1).median("v", **wide)
    with pytest.raises(ParameterError, match=said):
        groups(many + 1).median("v", **{**wide, "granularity": 1})
    assert purse.paid == 0
    assert len(groups(2**13 + 1).median("v", mechanism="inverse_sensitivity", **wide)) == 2**13 + 1
    assert len(groups(many + 1).median("v", **{**wide, "granularity": 2**12})) == many + 1


def test_answers_with_intervals_are_judged_by_what_they_draw() -> None:
    """A mean is read off sums by Laplace noise; of a median the ends of the interval are drawn as it is."""
    purse, wide = Purse(), {"bounds": (0, 2**40), "epsilon": 1, "granularity": 2**-10}

    def groups(count: int) -> Any:
        return Dataset(pl.DataFrame({"k": [1], "v": [1.0]}), ledger=purse).group_by("k", keys=range(count))

    third = 2**13 // 3
    said = r"^granularity must be coarser, or groups fewer, for .* by balance.*; leave its interval out, or use mech"
    for mechanism, most in (("auto", third), ("inverse_sensitivity", 2**12)):
        how = {"interval": 0.9, "mechanism": mechanism, **wide}
        with pytest.raises(ParameterError, match=said):
            groups(most + 1).median("v", **how)
        groups(most)._bind(ask.median("v", **how), SharedReads())
    with pytest.raises(ParameterError, match=r"^granularity must be .* for mean by balance"):
        groups(2**13 + 1).mean("v", interval=0.9, mechanism="balance", **wide)
    assert purse.paid == 0
    assert len(groups(2**13 + 1).mean("v", interval=0.9, **wide)) == 2**13 + 1
