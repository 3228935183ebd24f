"""A wrapper for any function f of few records. Nothing is known about f except its range and its values.

Linder, Raskhodnikova, Smith and Steinke (2025) describe this setting: no sensitivity is claimed, and it must be
detected. Their constructions were not at hand. This one uses shifted inverse sensitivity. Its proof:

1. Let k = n + noise - margin: about how many of the n records are kept. The noise is two-sided geometric and costs a
   quarter of epsilon. The margin is public.
2. Let F(x) be the largest f(w) over all subsets w of x with at least k records, or the least answer if there is none.
   For fixed k and any f, F never falls when a record is added, as all subsets of x are also subsets of the larger data.
3. Let removals(y) be the number of removals after which F is at most y. It rises by 0 or 1 when a record is added (see
   shifted_inverse_table.py). So balance on shift - removals costs 3*kappa: three quarters of epsilon, if
   kappa = epsilon/4.

Draws lie near the values of f on subsets that lack few records. The wrapper computes all 2^n values of f.
"""

import math
from dataclasses import replace

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.prices import pure_epsilon
from noisewise.paper.above_threshold import on_lattice
from noisewise.paper.comparison_law import TableLaw, refuse_unless
from noisewise.paper.shifted_inverse_table import MISS, balance_chances, removals
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request, columns_of
from noisewise.tables.columns import declare, declare_rows

MOST_RECORDS = 12
"""With more records there are too many subsets to wait for."""

COUNT_SHARE = 4
"""The number of records has this part of epsilon, one in so many."""


def black_box(request: Request) -> TableLaw:
    """Return the law of any question about few records that are added or removed."""
    name = "black_box"
    refuse_unless(
        name,
        request.neighbors == "add_remove" and request.contributions == 1,
        "about added records, one each",
    )
    refuse_unless(name, request.statistic.reads == "records", "about records")
    low, high = request.frame.answers.support
    refuse_unless(name, low is not None and high is not None, "between public ends")
    assert low is not None and high is not None
    values = values_on_subsets(request)
    epsilon, places = float(pure_epsilon(request.price)), on_lattice(low, high)
    kappa = epsilon * (COUNT_SHARE - 1) / COUNT_SHARE / 3
    shift = math.ceil(math.log(places.size / MISS) / (2 * kappa))
    margin = shift + math.ceil(math.log(1 / MISS) * COUNT_SHARE / epsilon)
    chances = np.zeros(places.size)
    for least, chance in enumerate(chances_of_least(records_of(values), margin, epsilon / COUNT_SHARE)):
        chances += chance * balance_chances(kappa * scores(values, least, (low, shift), places))
    step = float(request.frame.answers.granularity)
    return TableLaw((places * step).astype(np.float64), chances, float(values[-1]) * step, "pure")


def scores(values: Integers, least: int, low_and_shift: tuple[int, int], places: Integers) -> Floats:
    """Return for each place the shift minus the removals that make the largest answer of subsets at most this place."""
    low, shift = low_and_shift
    return shift - removals(largest_after(values, least, low), places.astype(np.float64))


def records_of(values: Integers) -> int:
    """Return the number of records, if ``values`` has an entry for each subset of the records."""
    return values.size.bit_length() - 1


def chances_of_least(count: int, margin: int, rate: float) -> Floats:
    """Return for each number from 0 to count + 1 the probability that it is k, the least number of records to keep.

    The first probability includes all smaller numbers, and the last one all larger numbers.
    """
    falls = math.exp(-rate)

    def at_most(noise: int) -> float:
        return falls**-noise / (1 + falls) if noise < 0 else 1 - falls ** (noise + 1) / (1 + falls)

    reached = [at_most(least - count + margin) for least in range(count + 1)]
    return np.diff([0.0, *reached, 1.0])


def values_on_subsets(request: Request) -> Integers:
    """Return the answers of all subsets of the records. Entry i is for the records whose bits are set in i."""
    columns = np.array([column.numbers() for column in columns_of(request.data)])  # type: ignore[attr-defined]
    columns = columns[:, ~np.isnan(columns).any(axis=0)]
    refuse_unless(
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
    """Return the least F that 0, 1, ... removals can reach.

    F is the largest answer of all subsets with at least ``least`` records.
    """
    count = records_of(values)
    sizes = np.array([subset.bit_count() for subset in range(values.size)])
    largest = np.where(sizes >= least, values, low)
    for i in range(count):  # each subset with record i is at least as large as without it
        pairs = largest.reshape(-1, 2, 1 << i)
        np.maximum(pairs[:, 1], pairs[:, 0], out=pairs[:, 1])
    return np.array([largest[sizes == count - gone].min() for gone in range(count + 1)])
