"""Fuzz every target for some minutes: ``python -m tests.fuzz 10``. What reaches new lines joins the corpus by hand."""

import sys
import time

import noisewise.public  # noqa: F401
from tests.fuzz.mutator import Fuzzer
from tests.fuzz.targets import TARGETS


def main(minutes: float) -> None:
    share = 60 * minutes / len(TARGETS)
    for name, (target, words) in TARGETS.items():
        fuzzer = Fuzzer(name, target, words, seed=time.time_ns())
        before = len(fuzzer.kept)
        fuzzer.fuzz(until=time.monotonic() + share)
        print(
            f"{name}: {fuzzer.tried:,} inputs, {len(fuzzer.kept) - before} reached something new, none broke it"
        )


main(float(sys.argv[1]) if len(sys.argv) > 1 else 1)
