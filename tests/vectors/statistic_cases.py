"""What each statistic is asked, its envelope as it is now, and brute force where that is feasible.

``levels`` are the first levels of an envelope, ``all`` is a digest of every level by the level rule at epsilon 1,
``costs`` are those of some outcomes. ``brute`` says of each level that can be enumerated whether it is just what brute
force finds; the others are wider.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from typing import Any

import numpy as np

import noisewise as nws
from tests import every_question
from tests.vectors import brute, definitions, ours
from tests.vectors.definitions import Definition

Case = dict[str, Any]

SHOWN = 5
"""So many levels are written out."""
EDITS = 3
"""So many are tried by brute force."""
UNITS = (("add_remove", 1), ("add_remove", 2), ("swap", 1))

TINY: list[Any] = [[], [2], [0, 4], [1, 1, 3]]
ODD: list[Any] = [[None, 1.4, 9, -3, 2.5, 0.3, 0.3]]
LONG = [(7 * k * k + 3 * k) % 101 for k in range(60)]
ONES: list[Any] = [[], [1], [0, 1, 1], [0, 0, 1, None, 1, 1, 7]]

CLASSES: list[Any] = [[], [[1, 1]], [[0, 1], [1, 1], [1, 0]], [[0, 0], [1, 1], [None, 1]]]
NUMBERS: list[Any] = [[], [[2, 3]], [[0, 4], [2, 2], [4, 4]], [[0, 0], [4, 4], [2, 3], [1, None], [3, 1]]]
POINTS: list[Any] = [
    [],
    [[0, 0], [2, 2]],
    [[0, 0], [1, 3], [2, 1]],
    [[0, 2], [1, 0], [1, 3], [2, 2], [None, 1]],
]
ROWS = [[LONG[k] % 5, LONG[-k] % 5] for k in range(40)]

SQUARE = [[0, 1], [1, 2], [2, 3], [0, 3]]
EDGES: list[Any] = [[], [[0, 1], [0, 2], [1, 2]], SQUARE, [*SQUARE, [0, 2]]]
NETWORK = sorted([i, j] for i, j in combinations(range(12), 2) if (i * j + i + j) % 3 == 0)
LONGER: dict[str, Any] = {"long": LONG, "rows": ROWS, "network": NETWORK}
"""Data that is written once."""


@dataclass(frozen=True)
class Asked:
    """A statistic, the data it is asked about, and its definition over a few values of a record."""

    statistic: Any
    data: list[Any]
    bounds: Any = None
    granularity: Any = None
    define: Definition | None = None
    domain: tuple[Any, ...] = ()
    nodes: int | None = None
    relations: tuple[str, ...] = ("add_remove", "swap")

    def cases(self) -> Iterator[Case]:
        for data in self.data:
            for relation, owned in UNITS:
                if relation in self.relations and (data or relation == "add_remove"):
                    yield self.case(data, relation, owned)

    def given(self, data: Any) -> Any:
        """As a user would hand it over."""
        if self.nodes is not None:
            return [tuple(edge) for edge in data], self.nodes
        if self.statistic.columns == 2:
            return [row[0] for row in data], [row[1] for row in data]
        return data

    def case(self, data: Any, relation: str, owned: int) -> Case:
        asked = {"bounds": self.bounds, "epsilon": 1, "neighbors": relation, "contributions": owned}
        asked |= {"granularity": None if self.granularity is None else Fraction(self.granularity)}
        look = partial(nws.hazmat.law, self.statistic, self.given(data), **asked)
        law, few = look(mechanism="piecewise_laplace"), look(mechanism="piecewise_laplace", levels=SHOWN)
        shown = [few.envelope.level(l) for l in range(SHOWN + 1)]
        outcomes = sorted({k + j for level in shown for k in level for j in (0, 1)})[::3][:4]
        released = nws.hazmat.replay(
            self.statistic, self.given(data), seed=1, mechanism=ours.AUTO_OF_RHO, **asked
        )
        return {
            "data": next((name for name, long in LONGER.items() if data is long), data),
            "bounds": repr(self.bounds),
            "granularity": str(law.granularity),
            "neighbors": relation,
            "contributions": owned,
            "support": list(law.envelope.support),
            "stride": law.envelope.stride,
            "levels": [list(level) for level in shown],
            "all": [law.envelope.lower.size, ours.digest(law.envelope.lower, law.envelope.upper)],
            "outcomes": outcomes,
            "costs": [str(c) for c in law.cost([k * law.granularity for k in outcomes])],
            "sensitivity": look(mechanism="laplace").envelope.stride,
            "auto": released.law,
            "brute": self.brute(data, relation, owned, law.granularity, shown),
        }

    def brute(self, data: Any, relation: str, owned: int, step: Fraction, shown: Any) -> list[bool] | None:
        """Which levels are exact. A level inside brute force would be no envelope at all."""
        rows = tuple(tuple(row) if isinstance(row, list) else row for row in data)
        if self.define is None or len(rows) > 5 or not self._enumerated(rows):
            return None
        truth = truths(self.define, tuple(sorted(rows)), self.domain, relation, step, self.nodes)
        found = []
        for (low, high), (lowest, highest) in zip(
            shown, list(zip(*truth, strict=True))[::owned], strict=False
        ):
            assert low <= lowest <= highest <= high, (self.statistic, data, "brute force goes beyond")
            found.append((low, high) == (lowest, highest))
        assert found[0], (self.statistic, data, "the answer itself")
        return found

    def _enumerated(self, rows: Any) -> bool:
        return all(row in self.domain for row in rows) if self.nodes is None else True


@dataclass(frozen=True)
class AskedByScore(Asked):
    """A statistic that has a score alone: its pieces, and what a seed draws."""

    def case(self, data: Any, relation: str, owned: int) -> Case:
        asked = {"bounds": self.bounds, "epsilon": 1, "neighbors": relation, "contributions": owned}
        asked |= {"granularity": None if self.granularity is None else Fraction(self.granularity)}
        law = nws.hazmat.law(self.statistic, self.given(data), **asked)
        score = law.score
        return {
            "data": next((name for name, long in LONGER.items() if data is long), data),
            "bounds": repr(self.bounds),
            "granularity": str(law.granularity),
            "neighbors": relation,
            "contributions": owned,
            "support": list(score.support),
            "pull": str(1 / (2 * law.kappa)),
            "centre": law.centre,
            "score": [str(score.at(k)) for k in self.looked_at(*score.support)],
            "drawn": law.draw(5, bits=nws.hazmat.SeededBits(1)).tolist(),
        }

    def looked_at(self, low: int, high: int) -> list[int]:
        """Some answers whose score is written out."""
        return [low, low + (high - low) // 3, low + 2 * (high - low) // 3, high - 1]


@cache
def truths(
    define: Definition, rows: Any, domain: Any, relation: str, step: Fraction, nodes: int | None
) -> tuple[list[int], list[int]]:
    def around(x: Any) -> set[Any]:
        if nodes is None:
            return brute.neighbours(x, domain, relation)
        return redrawn(x, nodes)

    edits = EDITS if relation == "add_remove" else min(EDITS, len(rows))
    return brute.force(lambda x: define(x, step), rows, around, edits)


def redrawn(edges: Any, nodes: int) -> set[Any]:
    """Every graph with one pair of nodes drawn anew: no edge, or an edge."""
    found = set()
    for pair in combinations(range(nodes), 2):
        others = tuple(edge for edge in edges if edge != pair)
        found |= {others, tuple(sorted((*others, pair)))}
    return found - {edges}


def column(statistic: Any, define: Definition, step: Any = 1, long: Any = (-20, 120)) -> list[Asked]:
    """A statistic of one column: small data by brute force, odd records, and a long column."""
    return [
        Asked(statistic, TINY + ODD, (0, 4), step, define, (0, 1, 2, 3, 4)),
        Asked(statistic, [LONG], long, step),
    ]


def rows(
    statistic: Any, define: Definition, data: Any, domain: Any, step: Any, bounds: Any = None
) -> list[Asked]:
    return [
        Asked(statistic, data, bounds, step, define, tuple(map(tuple, domain))),
        Asked(statistic, [ROWS], bounds, step),
    ]


def scores(statistic: Any, data: Any, step: Any, bounds: Any) -> list[Asked]:
    """A statistic that has a score alone: small data, odd records, and long data."""
    long = ROWS if statistic.columns == 2 else LONG
    return [AskedByScore(statistic, [*data, long], bounds, step)]


def graph(statistic: Any, step: Any, define: Any) -> list[Asked]:
    alone = ("add_remove",)
    return [
        Asked(statistic, EDGES, None, step, define, nodes=4, relations=alone),
        Asked(statistic, [NETWORK], None, step, nodes=12, relations=alone),
    ]


TWO = [[0, 0], [0, 1], [1, 0], [1, 1]]
FIVE = [[0, 0], [0, 4], [4, 0], [4, 4], [2, 2], [2, 3]]
SIX = [[0, 0], [0, 2], [1, 0], [1, 3], [2, 1], [2, 2]]
TENTH, EIGHTH = "1/10", "1/8"

STATISTICS: dict[str, Callable[[], list[Asked]]] = {
    "Quantile": lambda: [
        asked for q in ("0", "1/3", "1/2", "1") for asked in column(nws.Quantile(q), definitions.quantile(q))
    ],
    "Count": lambda: [Asked(nws.Count(), [*TINY, LONG], None, 1, definitions.count, (0, 1, 2, 3, 4))],
    "Sum": lambda: column(nws.Sum(), definitions.total),
    "Mean": lambda: column(nws.Mean(), definitions.mean, EIGHTH),
    "Proportion": lambda: [Asked(nws.Proportion(), ONES, None, TENTH, definitions.mean, (0, 1))],
    "Variance": lambda: [
        *column(nws.Variance(), definitions.variance, EIGHTH),
        *column(nws.Variance(exact=False), definitions.variance, EIGHTH),
    ],
    "Std": lambda: column(nws.Std(), definitions.std, EIGHTH),
    "TrimmedMean": lambda: column(nws.TrimmedMean("1/3"), definitions.trimmed_mean("1/3"), EIGHTH),
    "WinsorizedMean": lambda: column(nws.WinsorizedMean("1/3"), definitions.winsorized_mean("1/3"), EIGHTH),
    "Gini": lambda: column(nws.Gini(), definitions.gini, TENTH, (0, 120)),
    "IQR": lambda: column(nws.IQR(), definitions.spread("1/4", "3/4")),
    "Range": lambda: column(nws.Range(), definitions.spread("0", "1")),
    "Spread": lambda: column(nws.Spread("1/10", "1/2"), definitions.spread("1/10", "1/2")),
    "MAD": lambda: column(nws.MAD(), definitions.mad),
    "HuberMean": lambda: [
        *scores(nws.HuberMean(1), TINY + ODD, EIGHTH, (0, 4)),
        *scores(nws.HuberMean(Fraction(7, 5)), TINY[2:], None, (-1000, 4)),
    ],
    "WeightedMean": lambda: scores(nws.WeightedMean(), NUMBERS, EIGHTH, (0, 4)),
    "Ratio": lambda: [
        *scores(nws.Ratio(), NUMBERS, None, (0, 4)),
        *scores(nws.Ratio(ceiling=6), NUMBERS, EIGHTH, ((0, 4), (1, 3))),
    ],
    "Rate": lambda: scores(nws.Rate(per=10), NUMBERS, EIGHTH, ((0, 4), (0, 3))),
    "Accuracy": lambda: rows(nws.Accuracy(), definitions.accuracy, CLASSES, TWO, TENTH),
    "F1": lambda: rows(nws.F1(), definitions.f1, CLASSES, TWO, TENTH),
    "AUC": lambda: rows(nws.AUC(), definitions.auc, CLASSES, TWO, TENTH),
    "LogLoss": lambda: rows(nws.LogLoss(), definitions.log_loss, CLASSES, TWO, EIGHTH, (0, 4)),
    "MAE": lambda: rows(nws.MAE(), definitions.mae, NUMBERS, FIVE, EIGHTH, (0, 4)),
    "MSE": lambda: rows(nws.MSE(), definitions.mse, NUMBERS, FIVE, EIGHTH, (0, 4)),
    "RMSE": lambda: rows(nws.RMSE(), definitions.rmse, NUMBERS, FIVE, EIGHTH, (0, 4)),
    "R2": lambda: rows(nws.R2(), definitions.r2, NUMBERS, FIVE, EIGHTH, (0, 4)),
    "Pearson": lambda: rows(nws.Pearson(), definitions.pearson, POINTS, SIX, TENTH, (0, 4)),
    "Spearman": lambda: rows(nws.Spearman(), definitions.spearman, POINTS, SIX, TENTH),
    "TheilSen": lambda: rows(nws.TheilSen(), definitions.theil_sen, POINTS, SIX, EIGHTH, (-2, 2)),
    "Triangles": lambda: graph(nws.Triangles(), 1, definitions.triangles),
    "DegreeQuantile": lambda: graph(nws.DegreeQuantile("1/2", 3), 1, None),
}
"""Statistics whose vectors say more than those of `usual`."""


def usual(name: str, statistic: Any) -> list[Asked]:
    """A statistic as its question is called in `tests/every_question.py`: small data and long data."""
    call = every_question.CALLS[name]
    asked = AskedByScore if isinstance(statistic, ours.ScoreStatistic) else Asked
    data = [*TINY, LONG] if statistic.columns == 1 else [*NUMBERS, ROWS]
    return [asked(statistic, data, call.keywords.get("bounds"))]


STATISTICS |= {
    type(statistic).__name__: partial(usual, name, statistic)
    for name, statistic in every_question.STATISTICS.items()
    if type(statistic).__name__ not in STATISTICS
}
"""Every public statistic."""

TABLE = [[LONG[k] % 9 - 4, LONG[k + 20] % 5 - 2] for k in range(30)]
VECTORS: dict[str, list[Any]] = {
    "vector_mean": [
        (data, {"bounds": (-4, 4), "granularity": Fraction(1, 8), "norm": norm})
        for data in ([[1, 2]], TABLE)
        for norm in ours.NORMS
    ],
    "covariance": [(data, {"bounds": (-4, 4)}) for data in ([[1, 2]], TABLE)],
    "principal_component": [(TABLE, {"bounds": (-4, 4), "granularity": Fraction(1, 64)})],
}
"""Functions that answer with several numbers: their centres and radii."""


def vector_cases(name: str) -> Iterator[Case]:
    for data, how in VECTORS[name]:
        for relation, owned in UNITS:
            asked = {**how, "epsilon": 1, "neighbors": relation, "contributions": owned}
            centre, radii, stride = ours.radii_of(
                getattr(nws, name), np.array(data), mechanism="piecewise_laplace", **asked
            )
            yield {
                "data": data if len(data) < 5 else "table",
                "asked": {key: str(value) for key, value in asked.items()},
                "centre": centre,
                "radii": radii[: SHOWN + 1],
                "all": [len(radii), ours.digest(radii)],
                "stride": stride,
            }


def statistic(name: str) -> Case:
    if name in VECTORS:
        return {"table": TABLE, "cases": list(vector_cases(name))}
    cases = STATISTICS[name]()
    used = {
        each: long
        for each, long in LONGER.items()
        if any(long is data for asked in cases for data in asked.data)
    }
    return used | {
        "cases": [{"statistic": str(asked.statistic), **case} for asked in cases for case in asked.cases()]
    }
