"""A wrapper for black boxes: any function of few records, known by its values on subsets of the data and by its range.

In the setting of Linder, Raskhodnikova, Smith and Steinke (2025), where a sensitivity is detected and none is claimed.
Their constructions were not at hand; this one is made of shifted inverse sensitivity, and proved here:

1. n + noise, two-sided geometric for a quarter of epsilon, less a public margin, is k: about how many records are kept.
2. F(x) = the largest f(w) over all subsets w of x with at least k records, and the least answer if there is none.
   Given k, F never falls when a record is added, whatever f is: all subsets of x are subsets of what x becomes.
3. So how many removals make F at most y, removals(y), rises by 0 or 1 when a record is added (shifted_inverse.py), and
   balance on shift - removals costs 3*kappa: three quarters of epsilon with kappa = epsilon/4.

Draws lie around what f says of subsets that lack few records. It takes all 2^n values of f.
"""

import math
from dataclasses import replace

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.paper.above_threshold import on_lattice
from noisewise.paper.comparison_law import TableLaw, judged
from noisewise.paper.shifted_inverse_table import MISS, balance_chances, removals
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request, columns_of
from noisewise.tables.columns import declare, declare_rows

MOST_RECORDS = 12
"""With more records there are too many subsets to wait for."""

COUNT_SHARE = 4
"""The number of records has this part of epsilon, one in so many."""


def black_box(request: Request) -> TableLaw:
    """The law of any question about few records that are added or removed."""
    name = "black_box"
    judged(
        name,
        request.neighbors == "add_remove" and request.contributions == 1,
        "about added records, one each",
    )
    judged(name, request.statistic.reads == "records", "about records")
    low, high = request.frame.answers.support
    judged(name, low is not None and high is not None, "between public ends")
    assert low is not None and high is not None
    values = values_on_subsets(request)
    epsilon, places = float(request.mechanism.epsilon), on_lattice(low, high)
    kappa = epsilon * (COUNT_SHARE - 1) / COUNT_SHARE / 3
    shift = math.ceil(math.log(places.size / MISS) / (2 * kappa))
    margin = shift + math.ceil(math.log(1 / MISS) * COUNT_SHARE / epsilon)
    chances = np.zeros(places.size)
    for least, chance in enumerate(chances_of_least(records_of(values), margin, epsilon / COUNT_SHARE)):
        chances += chance * balance_chances(kappa * scores(values, least, (low, shift), places))
    step = float(request.frame.answers.granularity)
    return TableLaw((places * step).astype(np.float64), chances, float(values[-1]) * step, "pure")


def scores(values: Integers, least: int, low_and_shift: tuple[int, int], places: Integers) -> Floats:
    """The shift less how many removals make the largest answer of subsets at most each place."""
    low, shift = low_and_shift
    return shift - removals(largest_after(values, least, low), places.astype(np.float64))


def records_of(values: Integers) -> int:
    """How many records have so many subsets."""
    return values.size.bit_length() - 1


def chances_of_least(count: int, margin: int, rate: float) -> Floats:
    """The chance of each size from 0 to count + 1 to be the least that is kept; the ends stand for all beyond them."""
    falls = math.exp(-rate)

    def at_most(noise: int) -> float:
        return falls**-noise / (1 + falls) if noise < 0 else 1 - falls ** (noise + 1) / (1 + falls)

    reached = [at_most(least - count + margin) for least in range(count + 1)]
    return np.diff([0.0, *reached, 1.0])


def values_on_subsets(request: Request) -> Integers:
    """The answers of all subsets: index i is the subset of the records whose bits are set in i."""
    columns = np.array([column.numbers() for column in columns_of(request.data)])  # type: ignore[attr-defined]
    columns = columns[:, ~np.isnan(columns).any(axis=0)]
    judged(
        "black_box",
        columns.shape[1] <= MOST_RECORDS,
        f"about at most {MOST_RECORDS} records, as all subsets are asked",
    )
    answers: dict[bytes, int] = {}

    def answer(subset: int) -> int:
        kept = columns[:, [bool(subset >> i & 1) for i in range(columns.shape[1])]]
        key = kept[:, np.lexsort(kept)].tobytes()
        if key not in answers:
            data = (
                declare(kept[0])
                if len(kept) == 1
                else declare_rows(tuple(kept), len(kept), request.statistic.fill)
            )
            answers[key] = int(read_law(replace(request, data=data).look(0)).centre)
        return answers[key]

    return np.array([answer(subset) for subset in range(2 ** columns.shape[1])], np.int64)


def largest_after(values: Integers, least: int, low: int) -> Integers:
    """The least that F can be made by 0, 1, ... removals, F the largest answer of any subset of ``least`` or more."""
    count = records_of(values)
    sizes = np.array([subset.bit_count() for subset in range(values.size)])
    largest = np.where(sizes >= least, values, low)
    for i in range(count):  # each subset with record i is at least as large as without it
        pairs = largest.reshape(-1, 2, 1 << i)
        np.maximum(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
    return np.array([largest[sizes == count - gone].min() for gone in range(count + 1)])
