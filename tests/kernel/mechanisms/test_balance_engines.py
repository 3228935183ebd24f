"""Balance behind an engine: the scores that it reads there, and what it draws from equal bits, are those in memory."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from noisewise import Dataset, Quantile, ReleaseFailed, hazmat
from noisewise.dataset.batches import Batch, SharedReads
from noisewise.dataset.methods import ask
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.mechanisms.balance import ByScore
from noisewise.questions.question import Question
from tests.tables.every_engine import ENGINES, lazily

DICE = np.random.default_rng(5)
FRAME = pl.DataFrame(
    {
        "pay": [*DICE.integers(0, 5000, 150).tolist(), None, *[777] * 40],
        "share": [*DICE.normal(0.4, 0.4, 185).tolist(), None, float("nan"), float("inf"), -7.0, 0.5, 0.5],
        "ok": (DICE.random(191) < 0.3).tolist(),
        "team": [*DICE.choice(["a", "b", "c"], 185).tolist(), *["d", None, "e", "e", "a", "b"]],
    }
)
HOW: dict[str, Any] = {"epsilon": Fraction(1, 2), "mechanism": "balance"}
IN_RHO: dict[str, Any] = {"rho": Fraction(1, 100), "mechanism": "gaussian_balance"}
QUESTIONS: dict[str, Callable[[], Question]] = {
    "median": lambda: ask.median("pay", bounds=(0, 10_000), **HOW),
    "quantile": lambda: ask.quantile("share", "9/10", bounds=(0, 1), granularity=Fraction(1, 1000), **HOW),
    "mean": lambda: ask.mean("share", bounds=(0, 1), **HOW),
    "proportion": lambda: ask.proportion("ok", **HOW),
    "huber_mean": lambda: ask.huber_mean("share", Fraction(1, 5), bounds=(-1, 2), **HOW),
    "gaussian median": lambda: ask.median("pay", bounds=(0, 10_000), **IN_RHO),
    "gaussian mean": lambda: ask.mean("share", bounds=(0, 1), **IN_RHO),
}
IN_GROUPS = ("median", "quantile", "mean", "proportion", "gaussian median")
HELD: dict[str, dict[str, Any]] = {"rows": {}, "swap": {"neighbors": "swap"}, "owners": {"contributions": 3}}


def law_of(data: Any, question: str, held: dict[str, Any]) -> BalanceLaw:
    payable: Any = Dataset(data, **held)._bind(QUESTIONS[question]())
    law = payable.inner.look()
    assert isinstance(law, BalanceLaw)
    return law


@pytest.mark.parametrize("few", [False, True], ids=["usual levels", "few levels"])
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("engine", ENGINES)
def test_one_law_is_that_in_memory(
    engine: str, question: str, held: str, few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if held == "swap" and question in ("mean", "proportion", "gaussian mean"):
        return  # Laplace noise answers these
    if engine == "spark" and (few or held == "owners"):
        return  # the same queries again
    if few:
        monkeypatch.setattr(ByScore, "levels", lambda *_: 2)
    behind = law_of(lazily(engine, FRAME).to_native(), question, HELD[held])
    memory = law_of(FRAME, question, HELD[held])
    assert few == bool(memory.score.more.any()) or question in ("mean", "proportion", "gaussian mean")
    for part in ("positions", "first", "last", "offsets", "more"):
        assert np.array_equal(getattr(behind.score, part), getattr(memory.score, part)), part
    for part in ("end", "support", "bottom", "unit", "odds"):
        assert getattr(behind.score, part) == getattr(memory.score, part), part
    assert behind.kappa == memory.kappa
    drawn = [law.draw(60, bits=hazmat.SeededBits(9)).tolist() for law in (behind, memory)]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("few", [False, True], ids=["usual levels", "few levels"])
@pytest.mark.parametrize("question", IN_GROUPS)
@pytest.mark.parametrize("engine", ENGINES)
def test_groups_are_drawn_as_in_memory(
    engine: str, question: str, few: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "spark" and few and question != "median":
        return  # the same queries again
    if few:
        monkeypatch.setattr(ByScore, "levels", lambda *_: 2)

    def answers(data: Any) -> list[Any]:
        by = Dataset(data).group_by("team", keys=["c", "a", "nobody", "e"])
        batch = by._bind(QUESTIONS[question](), SharedReads()).inner
        assert isinstance(batch, Batch)
        seeds = range(1 if engine == "spark" else 6)
        return [batch.answer(bits=hazmat.SeededBits(seed)).value for seed in seeds]

    assert answers(lazily(engine, FRAME).to_native()) == answers(FRAME)


@pytest.mark.parametrize("grouped", [False, True], ids=["one column", "groups"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_files_that_change_before_a_second_look_are_no_data(
    kind: str, grouped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few levels leave draws undecided, which look again: at the same files, or else the release fails."""
    path = tmp_path / f"data.{kind}"
    (FRAME.write_csv if kind == "csv" else FRAME.write_parquet)(path)
    monkeypatch.setattr(ByScore, "levels", lambda *_: 1)
    looks = list[int]()
    bound: Any = Dataset.scan(path)
    payable = (bound.group_by("team", keys=["a", "b", "c"]) if grouped else bound)._bind(
        ask.median("pay", bounds=(0, 10_000), granularity=Fraction(1, 1000), **HOW),
        *([SharedReads()] if grouped else []),
    )
    read = Quantile.scores if grouped else Quantile.score

    def score(*given: Any) -> Any:
        if looks and changes:
            path.touch()
        looks.append(1)
        return read(*given)

    monkeypatch.setattr(Quantile, read.__name__, score)
    changes = False
    assert payable.answer(bits=hazmat.SeededBits(1)).value is not None
    assert len(looks) > 1  # it did look again
    changes = True
    looks.clear()
    with pytest.raises(ReleaseFailed, match="the files of the scan changed while they were read"):
        payable.answer(bits=hazmat.SeededBits(1))
    assert len(looks) > 1
