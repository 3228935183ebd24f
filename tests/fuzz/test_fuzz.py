"""Every reader of text, fuzzed for a moment with a fixed seed; ``make fuzz`` goes on for as long as it is told."""

import json
from pathlib import Path

import pytest

from noisewise.errors import NoisewiseError
from noisewise.tables.conditions import Condition
from tests.fuzz.mutator import Fuzzer, seeds
from tests.fuzz.targets import TARGETS

TRIES = {"dates": 20, "json_lines": 12, "sql": 250, "state": 80, "study": 150}


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_that_is_read_breaks_its_reader(name: str) -> None:
    target, words = TARGETS[name]
    fuzzer = Fuzzer(name, target, words)
    fuzzer.fuzz(tries=TRIES.get(name, 1200))
    assert len(fuzzer.kept) > 0 and len(fuzzer.reached) > 20


def test_the_fuzzer_finds_a_planted_break() -> None:
    """A condition of four comparisons, where no input of the corpus has more than three."""

    def careless(text: str) -> None:
        try:
            read = Condition.read(text)
        except NoisewiseError:
            return
        if len(read.comparisons) >= 4:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        Fuzzer("condition", careless, [" and a = 1 "]).fuzz(tries=5000)
    assert any("fuzzing condition" in note for note in caught.value.__notes__)


def test_inputs_that_reach_something_new_are_kept() -> None:
    fuzzer = Fuzzer("edges", TARGETS["edges"][0], TARGETS["edges"][1])
    fuzzer.reached.clear()
    assert fuzzer.run(json.dumps([[0, 1]])) is True
    assert fuzzer.run(json.dumps([[0, 1]])) is False


def test_what_an_engine_reads_guides_by_what_comes_out(tmp_path: Path) -> None:
    """Our own lines are the same for every text; a moment of another shape, with a time zone, is new."""
    fuzzer = Fuzzer("dates", *TARGETS["dates"], saved=tmp_path)
    assert not fuzzer.run("2024-02-29") and fuzzer.run("2024-02-29T08:30:00.1+05:45")
    fuzzer.fuzz(tries=fuzzer.tried + 12)
    saved = seeds(tmp_path / "dates")
    assert saved and set(saved) <= set(fuzzer.kept)
    again = Fuzzer("dates", *TARGETS["dates"], saved=tmp_path)
    assert len(again.kept) > len(again.given)


def test_an_input_that_breaks_something_is_saved(tmp_path: Path) -> None:
    def breaks(text: str) -> None:
        if len(text) > 3000:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        Fuzzer("edges", breaks, [], saved=tmp_path).run("x" * 3001)
    assert seeds(tmp_path / "edges") == ["x" * 3001] and str(tmp_path) in caught.value.__notes__[0]
