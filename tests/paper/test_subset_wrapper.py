"""A wrapper for black boxes: whatever the function is, each of its steps keeps what its proof says, on small worlds."""

import math
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest

import noisewise as nws
from noisewise.errors import ParameterError
from noisewise.paper.family import FAMILY
from noisewise.paper.shifted_inverse_table import removals
from noisewise.paper.subset_wrapper import chances_of_least, largest_after, scores, values_on_subsets
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from tests.test_paper import exact_law, largest_loss

TOP = 6
"""Answers are 0 to TOP."""
WILD = {
    data: int(answer)
    for data, answer in zip(
        [each for size in range(5) for each in combinations_with_replacement(range(3), size)],
        np.random.default_rng(11).integers(0, TOP + 1, 35),
        strict=True,
    )
}
"""A function without any order: an answer for each dataset of up to 4 records."""
PAIRS = [(data, tuple(sorted((*data, new)))) for data in WILD if len(data) < 4 for new in range(3)]


def subsets(data):
    """Its answers on all subsets of a dataset."""
    masks = range(2 ** len(data))
    return np.array([WILD[tuple(v for i, v in enumerate(data) if mask >> i & 1)] for mask in masks])


def request(data, **asked):
    return Request.of(
        nws.Quantile("1/2"),
        data,
        **{"epsilon": 1, "bounds": (0, TOP), "mechanism": "piecewise_laplace", **asked},
    )


def test_removals_are_those_by_definition():
    for data, least in (((0, 1, 1, 2), 0), ((0, 1, 1, 2), 2), ((0, 0, 2), 3), ((1, 2), 3)):
        found = []
        for gone in range(len(data) + 1):
            rests = combinations(data, len(data) - gone)
            sizes = range(least, len(data) - gone + 1)
            found.append(
                min(max((WILD[w] for k in sizes for w in combinations(z, k)), default=0) for z in rests)
            )
        assert largest_after(subsets(data), least, 0).tolist() == found


def test_any_function_is_private_in_exact_arithmetic():
    """Every dataset of up to 4 records, every record added, e^kappa = 3/2: no ratio is above e^(3 kappa)."""
    base, worst, places = Fraction(3, 2), Fraction(0), np.arange(TOP + 1)
    for least in range(4):
        laws = {
            data: exact_law([int(s) for s in scores(subsets(data), least, (0, 2), places)], base)
            for data in WILD
        }
        for one, other in PAIRS:
            worst = max(worst, *(max(p / q, q / p) for p, q in zip(laws[one], laws[other], strict=True)))
    assert base**2 < worst <= base**3


def test_the_size_that_is_kept_must_not_be_secret():
    """Of subsets that lack at most one record, removals move by two: the size must be known before."""
    moved = 0
    for one, other in PAIRS:
        found = [
            removals(largest_after(subsets(data), len(data) - 1, 0), np.arange(TOP + 1.0))
            for data in (one, other)
        ]
        moved = max(moved, np.abs(found[0] - found[1]).max())
    assert moved > 1


def test_the_size_that_is_kept_is_private():
    for margin in (0, 2):
        short, long = chances_of_least(4, margin, 0.3), chances_of_least(5, margin, 0.3)
        assert short.sum() == pytest.approx(1) and long.sum() == pytest.approx(1)
        apart = np.abs(np.log(short) - np.log(np.append(long[:5], long[5:].sum())))
        assert 0.29 < apart.max() <= 0.3 + 1e-9


def test_the_whole_is_private():
    epsilon = 3.0
    laws = {data: FAMILY["black_box"](request(list(data), epsilon=3)).chances for data in WILD}
    assert 0.4 * epsilon < largest_loss(PAIRS, laws.__getitem__) <= epsilon + 1e-9


def test_it_answers_any_question_about_few_records():
    data = [2, 3, 3, 4, 4, 4, 5]
    assert values_on_subsets(request(data))[-1] == 4 and values_on_subsets(request(data)).size == 128
    law = FAMILY["black_box"](request(data, epsilon=64))
    assert read_law(law).errors(0.95)[0] < 0.5
    compared = nws.compare("mae", (data, [3.0] * 7), [8], ["black_box"], bounds=(0, 4), granularity=0.5)
    assert [each.released for each in compared] == [False] and math.isfinite(next(iter(compared)).mean_error)
    for many, said in ((list(range(13)), "at most 12 records"), (data, "about added records")):
        with pytest.raises(ParameterError, match=said):
            FAMILY["black_box"](request(many, neighbors="swap" if many is data else "add_remove"))
