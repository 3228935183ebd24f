"""Fuzz every target for some minutes: ``python -m tests.fuzz 10``, or some: ``python -m tests.fuzz 10 dates study``.

Inputs that reach something new are saved, and the next run starts from them; so is one that breaks something. Those
that are worth keeping join the corpus by hand.
"""

import sys
import time
from pathlib import Path

import noisewise
from tests.fuzz.mutator import Fuzzer
from tests.fuzz.targets import TARGETS

noisewise._load()

SAVED = Path(".cache/fuzz")


def main(minutes: float, *names: str) -> None:
    share = 60 * minutes / len(names)
    print(f"what reaches something new is saved in {SAVED.resolve()}")
    for name in names:
        target, words = TARGETS[name]
        fuzzer = Fuzzer(name, target, words, seed=time.time_ns(), saved=SAVED)
        before = len(fuzzer.kept)
        fuzzer.fuzz(until=time.monotonic() + share)
        print(
            f"{name}: {fuzzer.tried:,} inputs, {len(fuzzer.kept) - before:,} reached something new, none broke it",
            flush=True,
        )


main(float(sys.argv[1]) if len(sys.argv) > 1 else 1, *(sys.argv[2:] or TARGETS))
