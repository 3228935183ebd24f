"""Every question in every place has one answer from the same random words; `make floors` asks the oldest versions."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from noisewise import Dataset, Ledger, PureDP, SchemaError
from noisewise.hazmat import SeededBits
from noisewise.kernel.sampling import SystemBits
from noisewise.questions.question import KINDS
from noisewise.tables.totals import RULES
from tests.cli.running import card
from tests.every_question import CALLS
from tests.floors.everywhere import FILES, LIBRARIES, SPARK, TABLE, TEXT, asked_of, dataset, written

STREAMING = {name for name, kind in KINDS.items() if kind.capabilities.streamed}
IN_CLUSTER = {name for name, kind in KINDS.items() if kind.capabilities.batched}

TIES_BY_BITS = ("quantiles", "five_number_summary", "ecdf")
"""In memory these read random bits for every record, elsewhere for few of them: one law, but other draws from the same
words. At a large epsilon the draws are all but certain."""

PLACES = [*LIBRARIES, SPARK, *FILES]
KEYS: dict[str, list[Any]] = {
    "s": ["milk", "tea", "nobody"],
    "x": [0.0, 3.0],
    "b": [0, 1],
    "day": [date(2021, 1, 5), date(1999, 1, 1)],
    "at": [datetime(2021, 1, 2, tzinfo=UTC)],
}


class Uncounted:
    """Words that are no part of an answer."""

    bits = SeededBits(8)

    def words(self, count: int) -> Any:
        return self.bits.words(count)


@pytest.fixture
def seeded(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Before each question: the words of the system become those of a seed, from its first one on."""

    def start() -> None:
        bits = SeededBits(7)
        monkeypatch.setattr(SystemBits, "words", lambda self, count: bits.words(count))
        monkeypatch.setattr(
            "noisewise.tables.people.SystemBits", Uncounted
        )  # names beside a table, as many as it takes

    return start


def told(held: Dataset, name: str, seeded: Any) -> Any:
    seeded()
    return asked_of(held, CALLS[name], epsilon=64 if name in TIES_BY_BITS else 1).value


KNOWN: dict[str, Any] = {}
"""What pandas answers to each question, asked once."""


def of_pandas(name: str, folder: Path, seeded: Any) -> Any:
    if name not in KNOWN:
        KNOWN[name] = told(dataset("pandas", folder, **CALLS[name].dataset_keywords), name, seeded)
    return KNOWN[name]


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("place", [place for place in PLACES if place not in ("pandas", SPARK)])
def test_answers_are_those_of_pandas(place: str, name: str, tmp_path: Path, seeded: Any) -> None:
    held = dataset(place, tmp_path, **CALLS[name].dataset_keywords)
    assert told(held, name, seeded) == of_pandas(name, tmp_path, seeded)


@pytest.mark.parametrize("name", CALLS)
def test_spark_answers_so_too_or_refuses_before_anything_is_paid(
    name: str, tmp_path: Path, seeded: Any
) -> None:
    people = CALLS[name].dataset_keywords
    with Ledger.open(tmp_path / "ledger", budget=PureDP(64), **people) as ledger:
        held = dataset("Spark", tmp_path, ledger=ledger, **people)
        if name in STREAMING:
            assert told(held, name, seeded) == of_pandas(name, tmp_path, seeded)
        else:
            with pytest.raises(SchemaError, match=r"on this computer, got a Spark DataFrame"):
                told(held, name, seeded)
            assert len(ledger) == 0


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("place", PLACES)
def test_groups_are_those_of_pandas(place: str, key: str, tmp_path: Path, seeded: Any) -> None:
    def answered(place: str, people: dict[str, Any]) -> Any:
        held = dataset(place, tmp_path, **people)
        held._salt = "of both"
        seeded()
        return held.group_by(key, keys=KEYS[key]).mean("y", bounds=(0, 10), epsilon=1).value

    if place in TEXT and key != "s":
        pytest.skip("the keys of a text file are text")
    everybody: dict[str, Any] = {}
    limited = {"unit": "id", "contributions": 3, "per_group": 1}
    for people in (everybody, {"unit": "id", "contributions": 2, "max_groups": 1}, limited):
        asked = f"{key} {people}"
        if asked not in KNOWN:
            KNOWN[asked] = answered("pandas", people)
        assert answered(place, people) == KNOWN[asked]


@pytest.mark.parametrize("place", PLACES)
def test_records_of_people_are_those_of_pandas(place: str, tmp_path: Path, seeded: Any) -> None:
    def answered(place: str) -> Any:
        held = dataset(place, tmp_path, unit="id", contributions=2)
        held._salt, answers = "of both", []
        for rule in RULES:
            asked: dict[str, Any] = {"bounds": (0, 40), "epsilon": 1, "per_person": rule}
            seeded()
            answers.append(held.median("x", **asked).value)
            answers.append(held.group_by("s", keys=KEYS["s"]).mean("y", **asked).value)
        return answers

    if "people" not in KNOWN:
        KNOWN["people"] = answered("pandas")
    assert answered(place) == KNOWN["people"]


@pytest.mark.parametrize("place", [place for place in PLACES if place not in ("pandas", SPARK)])
def test_counts_and_intervals_in_groups_are_those_of_pandas(place: str, tmp_path: Path, seeded: Any) -> None:
    def answered(place: str) -> Any:
        held = dataset(place, tmp_path, unit="id", contributions=2, max_groups=1)
        held._salt = "of both"
        seeded()
        groups = held.group_by("s", keys=KEYS["s"])
        return (
            groups.histogram("y", [0.0, 5.0, 11.0], epsilon=1).value,
            groups.most_common("s", ["tea", "milk"], epsilon=1).value,
            groups.median_interval("x", bounds=(0, 10), epsilon=9).value,
            groups.mean("y", bounds="private", epsilon=9).value,
        )

    if "counted" not in KNOWN:
        KNOWN["counted"] = answered("pandas")
    assert answered(place) == KNOWN["counted"]


@pytest.mark.parametrize("place", PLACES)
def test_dates_and_times_are_those_of_pandas(place: str, tmp_path: Path, seeded: Any) -> None:
    def answered(held: Dataset) -> Any:
        seeded()
        days = held.median("day", bounds=(date(2020, 1, 1), date(2022, 1, 1)), epsilon=1).value
        start, end = datetime(2021, 1, 1, tzinfo=UTC), datetime(2021, 2, 1, tzinfo=UTC)
        step = timedelta(minutes=1)
        return days, held.mean("at", bounds=(start, end), granularity=step, epsilon=1).value

    assert answered(dataset(place, tmp_path)) == answered(dataset("pandas", tmp_path))


@pytest.mark.parametrize("place", FILES)
def test_the_command_line_answers_so_too(place: str, tmp_path: Path, seeded: Any) -> None:
    file = written(tmp_path / f"table.{place}", TABLE)
    known = told(dataset("pandas", tmp_path), "median", seeded)
    seeded()
    said = card("median", file, "--column", "x", "--bounds", "0", "10", "--epsilon", "1")
    assert said["value"] == known
