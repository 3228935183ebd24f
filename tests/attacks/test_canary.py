"""No record can be reached from an answer, from an error, or from what an error's traceback holds of the library.

Every question is asked in memory and of a lazy frame; other engines and files get one question of each kind that they
treat in its own way. A question that is added is asked too.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import noisewise as nws
from noisewise.questions.question import KINDS
from noisewise.questions.request import request
from noisewise.tables.totals import RULES
from tests.attacks.canary import NUMBER, TEXT, reached
from tests.attacks.vulnerable import Remembers, keeps_the_cause, shows_a_record
from tests.every_question import CALLS
from tests.floors.everywhere import FILES, SPARK, TABLE, asked_of, dataset

PLACE = 5
HIDDEN: dict[str, list[Any]] = {name: list(column) for name, column in TABLE.items()}
HIDDEN["x"][PLACE] = NUMBER
HIDDEN["y"] = [NUMBER if row == PLACE else float(y) for row, y in enumerate(HIDDEN["y"])]
HIDDEN["s"][PLACE] = TEXT
HIDDEN["id"] = [TEXT if row == PLACE else str(person) for row, person in enumerate(HIDDEN["id"])]
"""The table with a record that can be told from all others, in whatever column a question is about."""


def treatment(name: str) -> tuple[Any, ...]:
    """What an engine decides by."""
    can = KINDS[name].capabilities
    return can.columns, can.streamed, can.batched


ONE_OF_EACH = sorted({treatment(name): name for name in reversed(CALLS)}.values())
ASKED = [(place, name) for place in ("pandas", "lazy Polars") for name in CALLS]
ASKED += [(place, name) for place in ("DuckDB", "csv") for name in ONE_OF_EACH]
ASKED += [(SPARK, "median")]


def outcome(ask: Callable[[], Any]) -> Any:
    """What a user gets: an answer, or an error."""
    try:
        return ask()
    except Exception as error:
        return error


def fails(_count: int) -> bytes:
    raise OSError(f"no bits for {NUMBER}, {TEXT}")


def test_an_answer_or_error_that_holds_a_record_is_noticed() -> None:
    records = [1, NUMBER]
    assert reached(Remembers.of(records)) is not None
    assert reached(Remembers.of(dataset("DuckDB", Path(), HIDDEN))) is not None
    for leaking in (shows_a_record, keeps_the_cause):
        assert reached(outcome(lambda leaking=leaking: leaking([TEXT]))) is not None  # type: ignore[misc]


def test_a_frame_of_the_library_that_holds_a_record_is_noticed() -> None:
    """Raised below the functions that leave the frames out."""
    error = outcome(lambda: request(nws.Quantile("1/2"), [NUMBER], bounds=(3, 1), epsilon=1))
    assert "traceback" in (reached(error) or "")


@pytest.mark.parametrize(("place", "name"), ASKED)
def test_no_record_is_reached_from_an_answer(place: str, name: str, tmp_path: Path) -> None:
    answer = outcome(
        lambda: asked_of(dataset(place, tmp_path, HIDDEN, **CALLS[name].dataset_keywords), CALLS[name])
    )
    assert not isinstance(answer, Exception)
    assert reached(answer) is None


@pytest.mark.parametrize("name", CALLS)
def test_no_record_is_reached_from_an_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = dataset("pandas", tmp_path, HIDDEN, **CALLS[name].dataset_keywords)
    for wrong in ({"epsilon": -1}, {"epsilom": 1}):
        refused = outcome(lambda wrong=wrong: asked_of(held, CALLS[name], **wrong))  # type: ignore[misc]
        assert isinstance(refused, nws.NoisewiseError) and reached(refused) is None
    monkeypatch.setattr(os, "urandom", fails)
    failed = outcome(lambda: asked_of(held, CALLS[name]))
    assert isinstance(failed, nws.ReleaseFailed) and reached(failed) is None


@pytest.mark.parametrize("place", ["pandas", "lazy Polars", "DuckDB", "csv"])
def test_no_record_is_reached_from_an_answer_about_people(place: str, tmp_path: Path) -> None:
    held = dataset(place, tmp_path, HIDDEN, unit="id")
    for rule in RULES:
        question: dict[str, Any] = {"bounds": (0, 10), "epsilon": 1, "per_person": rule}
        assert reached(outcome(lambda asked=question: held.median("x", **asked))) is None  # type: ignore[misc]
        if place in ("pandas", "lazy Polars"):  # a frame of DuckDB keeps the user's connection
            groups = held.group_by("s", keys=["tea"])
            answer = outcome(lambda asked=question, groups=groups: groups.quantiles("x", [0.5], **asked))  # type: ignore[misc]
            assert not isinstance(answer, Exception) and reached(answer) is None


PLACES = ["pandas", "pandas of Arrow", "Polars", "lazy Polars", "PyArrow", "DuckDB", *FILES]


@pytest.mark.parametrize("place", PLACES)
def test_no_record_is_reached_from_an_error_about_a_table_of_any_kind(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused by its parameters, by a condition, by keys that its columns cannot hold; and failed after the debit."""
    held = dataset(place, tmp_path, HIDDEN, unit="id")
    wrong: list[Callable[[], Any]] = [
        lambda: held.median("s", bounds=(0, 1), epsilon=-1),
        lambda: held.median("x", bounds=(0, "a"), epsilon=1),
        lambda: held.where("x > 'a' and").count(epsilon=1),
        lambda: held.group_by("x", "s", keys=[(1,)]).count(epsilon=1),
        lambda: held.group_by("s", keys=["tea"]).mean("x", bounds=(3, 1), epsilon=1),
        lambda: held.agg(n=nws.ask.count()),
    ]
    for ask in wrong:
        error = outcome(ask)
        assert isinstance(error, nws.NoisewiseError) and reached(error) is None
    monkeypatch.setattr(os, "urandom", fails)
    paid: list[Callable[[], Any]] = [
        lambda: held.median("x", bounds=(0, 10), epsilon=1),
        lambda: held.median("x", bounds=(0, 10), epsilon=1, per_person="sum"),
        lambda: held.group_by("s", keys=["tea"]).count(epsilon=1),
    ]
    for ask in paid:
        failed = outcome(ask)
        assert isinstance(failed, nws.ReleaseFailed) and reached(failed) is None


HELD = {
    "a list": lambda: [1, NUMBER],
    "an array": lambda: dataset("pandas", Path(), HIDDEN)._table.frame.to_native()["x"].to_numpy(),  # type: ignore[attr-defined]
    "a series": lambda: dataset("Polars", Path(), HIDDEN)._table.frame.to_native()["x"],  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("kind", HELD)
def test_no_record_is_reached_from_what_functions_give(kind: str) -> None:
    asked: dict[str, Any] = {"bounds": (0, 10), "epsilon": 1}
    ways: list[Callable[[Any], Any]] = [
        lambda data: nws.mean(data, **asked, interval=0.9),
        lambda data: nws.median(data, **asked, with_count=True),
        lambda data: nws.release(nws.Quantile("1/2"), data, **asked),
        lambda data: nws.median(data, bounds=(0, "x"), epsilon=1),
        lambda data: nws.release(nws.Quantile("1/2"), data, bounds=(3, 1), epsilon=1),
        lambda data: nws.Dataset(data),
    ]
    for way in ways:
        data = HELD[kind]()
        assert reached(outcome(lambda data=data, way=way: way(data))) is None  # type: ignore[misc]


def test_no_record_is_reached_from_groups(tmp_path: Path) -> None:
    held = dataset("pandas", tmp_path, HIDDEN, unit="id")
    by = held.group_by("b", keys=[0, 1])
    question = nws.ask.mean("x", bounds=(0, 10), epsilon=1)
    assert reached(by.mean("x", bounds=(0, 10), epsilon=1)) is None
    assert reached(by.agg(n=nws.ask.count(epsilon=1), m=question)) is None
    assert reached(held.agg(n=nws.ask.count(epsilon=1), m=question)) is None
    wrong: list[Callable[[], Any]] = [
        lambda: held.group_by("nothing", keys=[1]),
        lambda: by.agg(n=nws.ask.count()),
        lambda: held.agg(n=nws.ask.count()),
        lambda: held.where("x >"),
        lambda: by.mean("x", bounds=(0, 10), epsilon=-1),
    ]
    for ask in wrong:
        error = outcome(ask)
        assert isinstance(error, nws.NoisewiseError) and reached(error) is None
