"""Sums of products are exact, whatever size the numbers have."""

import numpy as np
import pytest

from noisewise.statistics.products import dot, sums_of_terms, total


@pytest.mark.parametrize("n", [0, 1, 2, 1023, 1024, 1025, 5_000])
@pytest.mark.parametrize("most", [1, 2**26 - 1, 2**26, 2**33, 2**52 - 1])
def test_sums_of_products_are_exact(n, most):
    rng = np.random.default_rng(n)
    a, b = rng.integers(-most, most + 1, n), rng.integers(-most, most + 1, n)
    a[: n // 2] = most  # as large as they come
    b[: n // 2] = -most
    assert dot(a, b) == sum(p * q for p, q in zip(a.tolist(), b.tolist(), strict=True))
    assert total(a) == sum(a.tolist())


@pytest.mark.parametrize(
    "mosts", [(1, 1), (1, 2**20), (2**21, 2**21), (2**22, 2**22), (2**52 - 1, 2**30), (2**51, 1)]
)
@pytest.mark.parametrize("n", [0, 1, 5_000])
def test_sums_of_terms_are_those_of_python(n, mosts):
    rng = np.random.default_rng(n)
    a, b = (rng.integers(-most, most + 1, n) for most in mosts)
    a[: n // 2], b[: n // 2] = mosts[0], mosts[1] - (mosts[1] > 1)
    x, y = a.tolist(), b.tolist()
    known = {(): n, (0,): sum(x), (1,): sum(y)}
    known |= {
        (i, j): sum(p * q for p, q in zip(*((x, y)[k] for k in (i, j)), strict=True))
        for i in (0, 1)
        for j in (0, 1)
    }
    for terms in ([*known], [(1,)], [(), (0,)], [(0, 1), ()]):
        numbers = lambda place, rows: (a, b)[place][rows].astype(np.float64)  # noqa: E731
        assert sums_of_terms(n, numbers, mosts, terms) == [known[term] for term in terms]
