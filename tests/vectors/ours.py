"""How the vectors reach noisewise: the public names, and the few others, all of them imported here and nowhere else.

If a module moves, this is the file to change; the vectors are not.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

import noisewise as nws
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.mechanisms import Gaussian, ShiftedPiecewiseLaplace, WholePermuteAndFlip
from noisewise.kernel.numbers.answers import Answers
from noisewise.ledger.entries import write_terms
from noisewise.planning.readings.read_law import read_law
from noisewise.questions import choice
from noisewise.questions.choice import Auto
from noisewise.questions.composites.key_selection import Chances
from noisewise.questions.composites.most_common import Lead
from noisewise.questions.composites.population_interval import (
    Held,
    PopulationInterval,
    expected_counts,
    too_few,
    too_unlikely,
)
from noisewise.questions.composites.private_bounds import PrivateBounds
from noisewise.questions.composites.quantile_interval import Interval
from noisewise.questions.composites.quantiles import JointQuantiles
from noisewise.questions.noise_interval import BetweenEnds, FromSums
from noisewise.questions.noise_interval import bound as with_interval
from noisewise.questions.request import Request
from noisewise.questions.several_sums import SeveralSums
from noisewise.statistics.score_end import ScoreEnd, score_ends
from noisewise.statistics.statistic import ScoreStatistic
from tests.payable import payable_of

MECHANISMS = {
    kind.version: kind
    for kind in (nws.PiecewiseLaplace, nws.InverseSensitivity, nws.PermuteAndFlip, nws.Laplace)
}
WHOLE = WholePermuteAndFlip
EXPECTED_COUNTS = expected_counts
NORMS = ("l1", "linf")


AUTO_OF_RHO = Auto(pure=False)
"""What auto means where a budget counts rho."""


class Literal(nws.Statistic):
    """A statistic whose envelope is what it was given, whatever the data."""

    def __init__(self, envelope: nws.Envelope) -> None:
        self.given = envelope

    def frame(self, bounds: Any, granularity: Any) -> Any:
        """Answers with the ends of the envelope, borrowed from a statistic that has such ends."""
        low, high = self.given.support
        if low is None:
            return nws.Sum().frame((-1, 1), 1)
        if high is None:
            return nws.Count().frame(None, None)
        whole = super().frame((low, high) if high - low > 1 else (low, low + 2), 1)
        if high - low > 1:
            return whole
        return whole._replace(answers=type(whole.answers)(low, high, Fraction(1)))

    def sensitivity(self, frame: Any, neighbors: Any, size: Any) -> int:
        return self.given.stride or 1

    def envelope(self, column: Any, answers: Any, levels: int) -> nws.Envelope:
        return self.given


@contextmanager
def format_of_ledgers(version: int) -> Iterator[None]:
    """New ledgers have this format."""
    with patch("noisewise.ledger.ledger.write_terms", partial(write_terms, version=version)):
        yield


def shifted_law_of_levels(case: Any) -> Any:
    """The law of shifted piecewise Laplace with these removals."""
    envelope = nws.Envelope.of(case["lower"], case["upper"], tuple(case["support"]), case["stride"] or None)
    by = ShiftedPiecewiseLaplace(
        epsilon=Fraction(case["epsilon"]), side=case["side"], removals=case["removals"]
    )
    return read_law(by.law(envelope, Answers(*case["support"], Fraction(1))))


def removals_of_maximum(case: Any) -> int:
    asked = Request.of(
        nws.Quantile(1),
        [],
        bounds=(case["low"], case["high"]),
        epsilon=Fraction(case["epsilon"]),
        mechanism="shifted_piecewise_laplace",
    )
    assert isinstance(asked.mechanism, ShiftedPiecewiseLaplace)
    return asked.mechanism.removals


def gaussian_of(case: Any) -> Any:
    """The mechanism of Gaussian noise for this price and sensitivity."""
    return Gaussian(rho=Fraction(case["rho"]), squared_sensitivity=case["squared_sensitivity"])


def law_of_gaussian(case: Any) -> Any:
    """The law that Gaussian noise makes of one answer."""
    support = tuple(case["support"])
    envelope = nws.Envelope.of([case["centre"]], [case["centre"]], support, 1)
    return read_law(gaussian_of(case).law(envelope, Answers(*support, Fraction(1))))


def gaussian_law(centres: list[int], variance: Fraction, clamp: Any) -> Any:
    return GaussianLaw(np.array(centres), variance, clamp=clamp)


def law_of_levels(case: Any, mechanism: Any) -> Any:
    """The law that a mechanism makes of an envelope, through the same door as every release."""
    envelope = nws.Envelope.of(case["lower"], case["upper"], tuple(case["support"]), case["stride"] or None)
    return nws.hazmat.law(
        Literal(envelope),
        [],
        epsilon=mechanism.epsilon,
        contributions=case.get("contributions", 1),
        mechanism=mechanism,
    )


def law_of_median(case: Any, mechanism: Any) -> Any:
    named = ("epsilon", "neighbors", "contributions", "levels")
    asked = {name: case[name] for name in named} | {"epsilon": Fraction(case["epsilon"])}
    return nws.hazmat.law(
        nws.Quantile("1/2"), case["data"], bounds=tuple(case["bounds"]), mechanism=mechanism, **asked
    )


def rate_of_whole_costs(case: Any) -> Fraction:
    """The rate among this many answers."""
    return WHOLE(epsilon=Fraction(case["epsilon"])).rate(Answers(1, case["points"], Fraction(1)))


@contextmanager
def no_gaussian_balance() -> Iterator[None]:
    """Let auto choose what it chose before there was Gaussian balance: some vectors are older."""
    kept, choice.OVER_PIECEWISE = choice.OVER_PIECEWISE, Fraction(0)
    try:
        yield
    finally:
        choice.OVER_PIECEWISE = kept


def law_of_balance(case: Any, mechanism: Any = "balance") -> Any:
    statistic = {"mean": nws.Mean(), "f1": nws.F1()}.get(case.get("of", "")) or nws.Quantile(case["q"])
    return nws.hazmat.law(
        statistic,
        tuple(case["data"]) if case.get("of") == "f1" else case["data"],
        bounds=None if case["bounds"] is None else tuple(case["bounds"]),
        granularity=Fraction(case.get("granularity", 1)),
        neighbors=case.get("neighbors", "add_remove"),
        contributions=case["contributions"],
        mechanism=mechanism,
        **{price: Fraction(case[price]) for price in ("epsilon", "rho") if price in case},
    )


def ball_law(case: Any, rate: Fraction, graded: bool) -> Any:
    centre = np.zeros(case["dimensions"], np.int64)
    radii = nws.RadiusBounds.of(np.array(case["radii"], np.int64), case["stride"])
    return read_law(BallLaw(centre, radii, case["norm"], rate, graded))


def version_of_vectors(mechanism: str, norm: str) -> str:
    """The name that the law of a vector has on its receipt."""
    data = np.zeros((2, 2))
    asked = payable_of(nws.vector_mean, data, bounds=(0, 1), epsilon=1, norm=norm, mechanism=mechanism)
    return str(asked.memo.partition(" by ")[2])


def chances_of_keys(epsilon: Fraction, delta: Fraction) -> list[Any]:
    """The probabilities that keys of 0, 1, ... persons are told, as balls, up to the first that is certain."""
    return Chances(epsilon, delta).balls(256)


def chances_of_categories(case: Any) -> tuple[Any, Fraction]:
    """The logarithms of the probabilities of categories with such counts, and the rate."""
    names = [f"c{place}" for place in range(len(case["counts"]))]
    data = [name for name, count in zip(names, case["counts"], strict=True) for _ in range(count)]
    asked = payable_of(
        nws.most_common,
        data or [""],
        names,
        epsilon=Fraction(case["epsilon"]),
        neighbors=case["neighbors"],
        contributions=case["contributions"],
    )
    law = asked.look()
    assert isinstance(law, Lead)
    return read_law(law).logpmf(), law.rate


def search(case: Any, records: list[float]) -> Any:
    """The search for bounds of a case, and the counts of its records."""
    asked = payable_of(
        nws.private_bounds,
        records,
        epsilon=Fraction(case["epsilon"]),
        neighbors=case["neighbors"],
        contributions=case["contributions"],
        base=case["base"],
        smallest=Fraction(case["smallest"]),
        largest=Fraction(case["largest"]),
        beta=Fraction(case["beta"]),
    )
    assert isinstance(asked, PrivateBounds)
    return asked.search, asked.search.law(asked.data)


def shares_of_interval(case: Any) -> tuple[Any, Any]:
    """The shares that the ends of an interval are drawn at, once the count is known; and the law's name."""
    asked = payable_of(
        nws.quantile_interval,
        [0.0],
        case["q"],
        confidence=Fraction(case["confidence"]),
        bounds=tuple(case["bounds"]),
        epsilon=Fraction(case["epsilon"]),
        neighbors=case["neighbors"],
        contributions=case["contributions"],
        mechanism="piecewise_laplace",
    )
    assert isinstance(asked, Interval)
    return asked.shares(case["known"]), asked.law


def ranks_of_ends(case: Any) -> tuple[Any, Any]:
    """By how many ranks the targets of both ends of a quantile's interval are moved; and the law's name."""
    asked = payable_of(
        nws.quantile,
        [0.0],
        case["q"],
        interval=Fraction(case["interval"]),
        bounds=tuple(case["bounds"]),
        epsilon=Fraction(case["epsilon"]),
        neighbors=case["neighbors"],
        contributions=case["contributions"],
    )
    assert isinstance(asked, BetweenEnds)
    ends = (asked.low, asked.high)
    return [None if end is None else str(end.statistic.shift) for end in ends], asked.law


def two_sums_of(case: Any) -> tuple[Any, Any]:
    """The two sums of a mean with an interval; and the law's name."""
    asked = payable_of(
        getattr(nws, case["statistic"]),
        [float(v) for v in case["records"]],
        interval=Fraction(case["interval"]),
        epsilon=Fraction(case["epsilon"]),
        contributions=case["contributions"],
        **({"bounds": (0, 4)} if case["statistic"] == "mean" else {}),
    )
    assert isinstance(asked, FromSums)
    return asked.sums, asked.law


def several_sums_of(case: Any) -> tuple[Any, list[int], Any]:
    """The sums of an answer that follows from them, without noise; and the law's name."""
    x, y = ([float(row[k]) for row in case["rows"]] for k in (0, 1))
    asked = payable_of(
        getattr(nws, case["statistic"]),
        *((x,) if case["statistic"] == "variance" else (x, y)),
        interval=Fraction(case["interval"]),
        epsilon=Fraction(case["epsilon"]) * (2 if case["statistic"] in ("variance", "r2") else 1),
        neighbors=case["neighbors"],
        contributions=case["contributions"],
        bounds=(0, 4),
    )
    assert isinstance(asked, FromSums) and isinstance(asked.sums, SeveralSums)
    request, summands = asked.inner, asked.sums.summands
    column = request.data.read(request.frame.records, request.neighbors)
    law = asked.sums.law(request.statistic.sums(column), summands.units)
    assert law.envelope.stride == asked.sums.noise.sensitivity and law.clamp == (0, None)
    assert law.rate == Fraction(case["epsilon"])
    return asked.sums, law.envelope.lower.tolist(), asked.law


def between_ends(case: Any, statistic: nws.Statistic) -> BetweenEnds:
    """A statistic with an interval, at the case's price and on its lattice."""
    keywords = {
        "interval": Fraction(case["interval"]),
        "epsilon": Fraction(case["epsilon"]),
        "neighbors": case["neighbors"],
        "contributions": case["contributions"],
        "bounds": (0, 4),
        "granularity": Fraction(4, case["points"] - 1),
    }
    asked = with_interval(lambda **own: Request.of(statistic, [1.0], **own), keywords)
    assert isinstance(asked, BetweenEnds) and asked.inner.frame.answers.points == case["points"]
    return asked


def edits_of_ends(case: Any) -> tuple[list[int], Any]:
    """How many edits both ends of a trimmed mean are away; and the law's name."""
    asked = between_ends(case, nws.TrimmedMean("1/10"))
    return [end.statistic.edits for end in asked.drawn], asked.law


class InOdds(ScoreStatistic):
    """An answer whose score is straight in the odds of (1 - tau)*(y - low) to tau*(high - y): 2 in all.

    Measured by these, the narrowest step of answers is the one at a bound.
    """

    def __init__(self, tau: Fraction) -> None:
        self.odds = (1 - tau) / tau

    def ends(
        self, neighbors: Any, epsilon: Fraction, answers: Any, miss: Fraction
    ) -> tuple[ScoreEnd, ScoreEnd]:
        cells = 2 * (answers.points + 1) * max(self.odds, 1 / self.odds)
        return score_ends(self, neighbors, epsilon, cells, miss)

    def score(self, column: Any, answers: Any, levels: int, epsilon: Fraction) -> Any:
        raise NotImplementedError("no answer is drawn")


def pulls_of_ends(case: Any) -> tuple[list[int], Any]:
    """How many pulls both ends are away, of Huber's mean or of an answer in odds; and the law's name."""
    asked = between_ends(case, nws.HuberMean(1) if case["tau"] is None else InOdds(Fraction(case["tau"])))
    return [end.statistic.pulls for end in asked.drawn], asked.law


def noisy_sums(up: int, down: int) -> tuple[int, int]:
    return up, down


def lowest_share(case: Any) -> tuple[int, str]:
    """The index of the low end for two sums of which bounds are known; and the law's name."""
    asked = payable_of(
        getattr(nws, f"{case['statistic']}_interval"),
        [],
        epsilon=1,
        **(
            {"bounds": (0, 1), "granularity": Fraction(1, case["parts"])}
            if case["statistic"] == "mean"
            else {}
        ),
    )
    assert isinstance(asked, PopulationInterval)
    check = too_unlikely if case["statistic"] == "mean" else too_few
    held = Held(Fraction(case["above"]), Fraction(case["below"]))
    return asked.end(held, Fraction(case["miss"]), check, mirrored=False), asked.law


class Given:
    """Bits that are these numbers of 16 bits, in their order."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers

    def words(self, count: int) -> Any:
        filled = np.zeros(4 * count, "<u2")
        filled[: len(self.numbers)] = self.numbers
        return filled.view("<u8").astype(np.uint64)


def joint_laws(case: Any) -> tuple[str, list[tuple[Any, Any]]]:
    """The name of the law, and each node of a joint release with its law, where earlier draws fell on the cuts."""
    asked = payable_of(
        nws.quantiles,
        case["data"],
        case["qs"],
        bounds=tuple(case["bounds"]),
        epsilon=Fraction(case["epsilon"]),
        neighbors=case["neighbors"],
        contributions=case["contributions"],
        mechanism="piecewise_laplace" if case["graded"] else "inverse_sensitivity",
    )
    assert isinstance(asked, JointQuantiles)
    found = []

    def walk(split: Any, part: Any) -> None:
        found.append((split, read_law(asked.look(split, part))))
        if not split.is_last:
            for child, piece in zip(
                (split.below, split.above), part.cut(case["cuts"][str(split.q)]), strict=True
            ):
                if child is not None:
                    walk(child, piece)

    walk(asked.root, asked.whole(Given(case["u"])))
    return asked.law, found


def radii_of(function: Any, *data: Any, **asked: Any) -> tuple[list[int], list[int], int]:
    """Centre, radii and stride of a question about several numbers."""
    question = payable_of(function, *data, **asked)
    law = getattr(question, "sums", question).look()
    return read_law(law).centre.tolist(), law.radii.steps.tolist(), law.radii.stride


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """The system's random bytes replaced by those of a seed, the same on every machine."""
    bits, system = nws.hazmat.SeededBits(seed), os.urandom

    def urandom(size: int) -> bytes:
        return bits.words(-(-size // 8)).tobytes()[:size]

    os.urandom = urandom
    try:
        yield
    finally:
        os.urandom = system


def digest(*numbers: Any) -> str:
    """A long list of whole numbers in a few characters."""
    return hashlib.sha256(repr([[int(n) for n in each] for each in numbers]).encode()).hexdigest()[:16]
