"""Make the bundled table src/noisewise/incomes.csv: 2,000 people who do not exist.

    python scripts/synthetic_incomes.py

Ages are spread over 18 to 90. Incomes are lognormal around a median that rises to the middle of a career and falls
after it. Most people round when they are asked, to the hundred or the thousand, so that there are ties; a few cells
are empty or hold text, as in any real file. The seed is fixed and only ``Random.random`` is used, whose stream for a
given seed Python promises to keep.
"""

import math
from pathlib import Path
from random import Random
from statistics import NormalDist

TARGET = Path(__file__).resolve().parents[1] / "src" / "noisewise" / "incomes.csv"
PEOPLE = 2_000
SEED = 20_250_101


def person(random: Random) -> tuple[int, int]:
    """An age and a whole-dollar income."""
    age = 18 + int(73 * (random.random() + random.random()) / 2)
    typical = 24_000 + 28_000 * math.exp(-(((age - 48) / 18) ** 2))
    spread = NormalDist().inv_cdf(min(max(random.random(), 1e-9), 1 - 1e-9))
    dollars = typical * math.exp(0.55 * spread)
    habit = random.random()
    unit = 1_000 if habit < 0.25 else 100 if habit < 0.65 else 1
    return age, unit * math.floor(dollars / unit + 0.5)


def cell(random: Random, value: int) -> str:
    """The value as it stands in the file; one in a hundred is missing."""
    fate = random.random()
    return "" if fate < 0.008 else "n/a" if fate < 0.01 else str(value)


def table() -> str:
    """The whole file as text."""
    random = Random(SEED)
    lines = ["person_id,age,income"]
    for number in range(1, PEOPLE + 1):
        age, income = person(random)
        lines.append(f"{number},{cell(random, age)},{cell(random, income)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(table(), encoding="utf-8", newline="\n")
    print(f"wrote {PEOPLE} people to {TARGET.name}")
