"""No rows, no rows that pass, and no keys: every question in every place is answered, or refused before it is paid."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from noisewise import Dataset, NoisewiseError, ask
from noisewise.tables.totals import RULES
from tests.attacks.outcomes import Purse
from tests.every_question import CALLS, NODES, SIZE
from tests.floors.everywhere import FILES, LIBRARIES, SPARK, TEXT, dataset

NOBODY = {
    "no rows": (0, None),
    "no rows and a condition": (0, "y >= 0 or s is missing or not b in (1, 2)"),
    "no row passes": (SIZE, "y < 0"),
}
SOON = ("pandas", "no rows and a condition"), ("lazy Polars", "no row passes")
IN_MEMORY = ("pandas", "Polars")
"""Where a question takes a moment. There each is asked with an interval, a count and private bounds, too."""
CASES = [
    pytest.param(place, none, marks=() if (place, none) in SOON else pytest.mark.rest)
    for place in [*LIBRARIES, SPARK, *FILES]
    for none in NOBODY
    if none != "no rows"
    or place in (*IN_MEMORY, "DuckDB", "csv")  # elsewhere a condition is asked of no rows, too
]
PEOPLE = {"unit": "id", "contributions": 2, "max_groups": 1}
TIMES: dict[str, tuple[Any, Any]] = {
    "day": (date(2020, 1, 1), date(2022, 1, 1)),
    "at": (datetime(2021, 1, 1, tzinfo=UTC), datetime(2021, 2, 1, tzinfo=UTC)),
}

Asked = Iterator[tuple[str, Callable[[Dataset], Any]]]


def question(name: str, given: list[Any], asked: dict[str, Any], held: Dataset) -> Any:
    return getattr(held, name)(*given, **asked)


def of_every_kind(place: str) -> Asked:
    """Every question about all rows and in declared groups."""
    for name, call in CALLS.items():
        text = {"nodes": list(map(str, NODES))} if place in TEXT and "nodes" in call.keywords else {}
        for more in ({}, {"interval": 0.9}, {"with_count": True}, {"bounds": "private"}):
            if more and (place not in IN_MEMORY or not set(more) <= set(call.kind.signature.parameters)):
                continue

            whole = partial(call.of, **more, **text)
            yield f"{name} {more}", whole

            def in_groups(held: Dataset, whole: Any = whole) -> Any:
                return whole(held.group_by("s", keys=["tea", "milk"]))

            if "interval" not in more:
                yield f"{name} {more} in groups", in_groups


def of_several() -> Asked:
    """Questions in groups of several columns, in groups that are searched for, about times, and several at once."""
    bounds = {"bounds": (0, 10)}
    joint = {"all": ask.count(), "mean": ask.mean("y", **bounds), "b": ask.proportion("b", category=1)}
    yield "agg", lambda held: held.agg(**joint, epsilon=1)
    yield (
        "agg in groups",
        lambda held: held.group_by("s", keys=["tea"]).agg(all=ask.count(), mean=joint["mean"], epsilon=1),
    )
    for rule in RULES:
        asked = {"bounds": (0, 10), "epsilon": 1, "per_person": rule}
        for name, given in (("median", []), ("quantiles", [[0.5]]), ("mad", [])):

            def of_people(held: Any, name: str = name, given: Any = given, asked: Any = asked) -> Any:
                return getattr(held, name)("y", *given, **asked)

            yield f"{name} {rule}", of_people
            yield (
                f"{name} {rule} in groups",
                lambda held, of_people=of_people: of_people(held.group_by("s", keys=["tea"])),
            )
    yield "two keys", lambda held: held.group_by("s", "b", keys=[("tea", 0)]).median("x", **bounds, epsilon=1)
    for keys in (("s",), ("b",), ("s", "b"), ("day",), ("at",)):

        def searched(held: Dataset, keys: tuple[str, ...] = keys) -> Any:
            groups = held.group_by(*keys, epsilon=1, delta=0.01)
            return groups.mean("y", **bounds, epsilon=1) if len(groups) else None

        yield f"searched {keys}", searched
    for name in ("median", "mean", "max", "quantile_interval"):
        given = [0.5] if name == "quantile_interval" else []
        for column, ends in TIMES.items():

            def timed(
                held: Dataset, name: str = name, column: str = column, given: Any = given, ends: Any = ends
            ) -> Any:
                return getattr(held, name)(column, *given, bounds=ends, epsilon=1)

            yield f"{name} {column}", timed
    for column in ("day", "at", "id"):
        yield f"count {column}", lambda held, column=column: held.count(column, epsilon=1)  # type: ignore[misc]


def check_alike(asked: Asked, none: str, place: str, folder: Path) -> None:
    """What is refused is refused with rows too, and costs nothing. Every second question is about people."""
    rows, condition = NOBODY[none]

    def opened(rows: int, purse: Purse) -> list[Dataset]:
        held = []
        for people in ({}, PEOPLE):
            at = Path(mkdtemp(dir=folder))  # a scan's file stays as it was
            held.append(dataset(place, at, rows=rows, **people, ledger=purse))
        return held if condition is None else [each.where(condition) for each in held]

    purse = Purse()
    held, full = opened(rows, purse), opened(SIZE, Purse())
    answered = 0
    for at, (name, put) in enumerate(asked):
        paid = purse.paid
        try:
            put(held[at % 2])
            answered += 1
        except NoisewiseError as error:
            assert purse.paid == paid, (name, error)
            with pytest.raises(type(error)) as refused:
                put(full[at % 2])
            assert str(refused.value) == str(error), name
    assert answered > 10


@pytest.mark.parametrize(("place", "none"), CASES)
@pytest.mark.parametrize("groups", [False, True], ids=["all", "in groups"])
def test_every_question_is_answered_without_rows(place: str, none: str, groups: bool, tmp_path: Path) -> None:
    asked = ((name, put) for name, put in of_every_kind(place) if name.endswith("in groups") == groups)
    check_alike(asked, none, place, tmp_path)


@pytest.mark.parametrize(("place", "none"), CASES)
def test_groups_times_and_several_questions_are_answered_without_rows(
    place: str, none: str, tmp_path: Path
) -> None:
    check_alike(of_several(), none, place, tmp_path)
