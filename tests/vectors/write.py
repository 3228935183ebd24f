"""Write the vectors that do not exist yet: ``python -m tests.vectors.write``. What exists is kept.

A vector that would change is named and left as it is, and the command fails: the change is either a mistake or a new
law, which takes a new name. ``--replace receipts/NAME`` writes it anew all the same, for a mistake in the vectors and
for words of a receipt that were changed on purpose.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.vectors import files
from tests.vectors.draw_cases import BUDGETS, DRAWS, ledger, receipt
from tests.vectors.law_cases import LAWS
from tests.vectors.questions import QUESTIONS
from tests.vectors.statistic_cases import STATISTICS, VECTORS, statistic

Made = tuple[str, str, Callable[[], Any]]


def vectors() -> Iterator[Made]:
    """The folder, the name, and the function that makes what is written there."""
    yield from (("laws", name, make) for name, make in LAWS.items())
    yield from (("statistics", name, partial(statistic, name)) for name in (*STATISTICS, *VECTORS))
    yield from (("draws", name, make) for name, make in DRAWS.items())
    yield from (("receipts", name, partial(receipt, name)) for name in QUESTIONS)
    yield from (("ledgers", name, partial(ledger, name)) for name in BUDGETS)


def main(arguments: list[str]) -> int:
    replaced = {arguments[at + 1] for at, word in enumerate(arguments[:-1]) if word == "--replace"}
    refused = []
    for folder, name, make in vectors():
        place, made = files.path(folder, name), files.told(name, make())
        if place.exists() and files.read(folder, name) == made:
            continue
        if place.exists() and f"{folder}/{name}" not in replaced:
            refused.append(f"{folder}/{name}")
            continue
        place.parent.mkdir(exist_ok=True)
        place.write_text(files.spell(made), encoding="utf-8")
        print(f"written: {place.relative_to(files.HERE)}")
    for each in refused:
        print(f"kept as it is, though it would change: {each}", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
