"""Every reader of text, fuzzed for a moment with a fixed seed; ``make fuzz`` goes on for as long as it is told."""

import json

import pytest

from noisewise.errors import NoisewiseError
from noisewise.tables.conditions import Condition
from tests.fuzz.mutator import Fuzzer
from tests.fuzz.targets import TARGETS

TRIES = {"dates": 20, "json_lines": 12, "state": 80, "study": 150}


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
