"""Rows for the laws of a statistic: an enumerated record is the code of a pair."""

from typing import Any, ClassVar

import numpy as np

from noisewise import hazmat
from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.audit.worlds import Dataset
from noisewise.kernel.laws.envelope import Envelope
from tests.kernel.laws.statistic_laws import StatisticLaws


class RowLaws(StatisticLaws):
    """The laws of a statistic of two columns. Negative codes are rows with something missing."""

    pairs: ClassVar[dict[int, tuple[Any, Any]]]

    def data(self, x: Dataset) -> Any:
        rows = [self.pairs[int(code)] for code in x]
        return [y for y, _ in rows], [p for _, p in rows]


def envelope(statistic: Any, y: Any, p: Any, neighbors: str, **asked: Any) -> Envelope:
    asked = {"bounds": None, "epsilon": 1, "mechanism": "piecewise_laplace"} | asked
    return hazmat.law(statistic, (y, p), neighbors=neighbors, **asked).envelope


def assert_random_neighbours_nest(statistic: Any, rows: Any, sizes: Any, **asked: Any) -> None:
    """Larger data than can be enumerated: two ways to edit one row, both relations, all levels.

    ``rows(rng, n)`` makes n random rows as an array of two columns.
    """
    rng = np.random.default_rng(0)
    for n in sizes:
        for _ in range(3):
            data, other = rows(rng, n), rows(rng, n)[:1]
            fewer = np.delete(data, rng.integers(n), axis=0)
            for relation, near in (("add_remove", fewer), ("swap", np.concatenate([fewer, other]))):
                one = envelope(statistic, *data.T, relation, **asked)
                two = envelope(statistic, *near.T, relation, **asked)
                assert is_monotone(one) and is_monotone(two)
                assert nests_in(one, two) and nests_in(two, one)
