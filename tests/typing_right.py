"""What a user writes: all of it must type-check. Read by tests/test_typing.py, never run."""

from decimal import Decimal
from fractions import Fraction

import numpy as np

import noisewise as nws

data = [1.0, 2.0, None]
release: nws.Release = nws.median(data, bounds=(0, 10), epsilon=1.0)
nws.quantile(np.arange(5), "1/3", bounds=(0.0, 1e6), epsilon=Fraction(1, 2), granularity=Decimal("0.01"))
nws.quantile(
    data, 0.9, bounds=[0, 10], epsilon=np.float64(1), contributions=np.int64(3), neighbors="add_remove"
)
nws.min(data, bounds=(0, 10), epsilon=1, neighbors="swap")
nws.max(data, bounds=np.array([0, 10]), epsilon=1, mechanism="laplace")
nws.median(data, bounds=(0, 10), epsilon=1, mechanism=nws.PiecewiseLaplace(epsilon=1, rho=0.5))
law = nws.hazmat.law(nws.Quantile("1/2"), data, bounds=(0, 10), epsilon=1, levels=5)
value: float = float(release)
loss: nws.ZCDP = nws.BoundedRange(0.1).as_zcdp()
noise = nws.Laplace(epsilon=0.5, sensitivity=3)
