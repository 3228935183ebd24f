"""What a user writes: all of it must type-check. Read by tests/test_typing.py, never run."""

from datetime import date
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
nws.median(data, bounds=(0, 10), epsilon=1, mechanism=nws.PiecewiseLaplace(epsilon=1, smooth=1.5))
law = nws.hazmat.law(nws.Quantile("1/2"), data, bounds=(0, 10), epsilon=1, levels=5)
value: float = float(release)
loss: nws.ZCDP = nws.BoundedRange(0.1).as_zcdp()
noise = nws.Laplace(epsilon=0.5, sensitivity=3)

nws.mean(data, bounds="private", epsilon=1, bounds_share=0.2)
nws.count(data, epsilon=1)
nws.trimmed_mean(data, 0.1, bounds=(0, 10), epsilon=1)
nws.spread(data, 0.1, "9/10", bounds=(0, 10), epsilon=1)
nws.quantiles(data, [0.25, "1/2", Fraction(3, 4)], bounds=(0, 10), epsilon=1)
nws.ecdf(data, 9, bounds=(0, 10), epsilon=1)
nws.median_interval(data, bounds=(0, 10), epsilon=1, confidence=0.9)
nws.private_bounds(data, epsilon=1, base=10, largest=1e6)
nws.r2(data, data, bounds=(0, 10), epsilon=1, floor=-2)
nws.auc([0, 1], [0.2, 0.8], epsilon=1)
nws.theil_sen(data, data, bounds=(-5, 5), epsilon=1, intercept_bounds=(0, 10))
nws.pearson(data, data, bounds=((0, 1), (0, 2)), epsilon=1)
nws.crosstab((["a", "b"], [1, 2]), [["a", "b"], [1, 2]], epsilon=1)
nws.count_distinct(["a", "b"], ["a", "b", "c"], epsilon=1)
nws.most_common(["a", "b"], ["a", "b", "c"], epsilon=1)
nws.release(nws.Variance(exact=False), data, bounds=(0, 10), epsilon=1)
promise: str = str(nws.plan(nws.Mean(), bounds=(0, 10), epsilon=1))
budget: float = nws.epsilon_for(nws.Sum(), error=100, bounds=(0, 10))
wrong: float = nws.simulate(nws.IQR(), [1, 2, 3], bounds=(0, 10), epsilon=1).expected_error
nws.plan(nws.Pearson(), bounds=((0, 5), (0, 5)), epsilon=1)
nws.plan("quantile", 0.9, bounds=(0, 5), epsilon=1, size=100, shape=("normal", 2, 1))
nws.plan(nws.ask.median("salary", bounds=(0, 5), epsilon=1), contributions=2)
nws.Dataset([]).agg(
    epsilon=1, n=nws.ask.count(), pay=nws.ask.median("x", bounds=(0, 5)), shares={"n": 1, "pay": 3}
)
nws.Dataset([]).group_by("k", keys=[1]).agg(epsilon=0.5, line=nws.ask.pearson("x", "y", bounds=(0, 5)))
nws.epsilon_for(nws.histogram, bins=[0, 1, 2], error=10)
nws.simulate(nws.quantiles, [1, 2, 3], [0.25, 0.5], bounds=(0, 10), epsilon=1)

staff = nws.Dataset(data, unit="person_id", contributions=3, name="staff")
one: nws.Release = staff.median("salary", bounds=(0, 500_000), epsilon=0.4)
staff.linear_regression(["age", "tenure"], "salary", bounds=(0, 1), epsilon=1)
staff.count(epsilon=0.1)
known: nws.Dataset = nws.hazmat.salted(staff, "pepper")
staff.median("hired", bounds=(date(2000, 1, 1), date(2030, 1, 1)), epsilon=1)
by = staff.group_by("dept", keys=["A", "B"]).median("salary", bounds=(0, 500_000), epsilon=0.4)
groups: int = len(by)
described = nws.Dataset(data, columns={"salary": nws.Column(bounds=(0, 500_000), granularity=100)})
described.group_by("dept").median("salary", epsilon=0.4)
described.pearson("age", "salary", epsilon=0.4)
nws.Dataset(data, columns="columns.toml")

ledger = nws.Ledger.open("staff.ledger", budget=nws.ZCDP(0.5), unit="person_id")
nws.Dataset(data, unit="person_id", ledger=ledger)
nws.median(data, bounds=(0, 10), epsilon=1, ledger=nws.Ledger.open("a.ledger"))
total: nws.Composed = nws.compose(nws.PureDP(1), nws.ZCDP(0.5))

m1 = nws.paper.PiecewiseLaplace([5, 3, 0], [5, 6, 10], epsilon=2)
nws.paper.BallDensity([0, 0], radii=[1, 2, 3], epsilon=1, p=2, stride=3)
nws.paper.plot({"density": m1, "points": [(1, 2)]}, up="density")
nws.paper.algorithm_1([5, Fraction(7, 2), 0], [5, 6, 10], epsilon=Fraction(1, 2))
nws.release(nws.Envelope.of([5, 3], [5, 6], (0, 10)), mechanism="plm", epsilon=1, smooth=2)
nws.release(nws.RadiusBounds.of([5, 3], 5).around([1, 2]), mechanism="plm", epsilon=1)
