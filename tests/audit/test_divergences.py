"""Audits of prices in rho: the largest Rényi divergence of all draws, certain to the last digit, and what breaks it."""

import math
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise import ParameterError
from noisewise.audit.divergences import ORDERS, certain_rho, diverging
from noisewise.audit.draws import Draws
from noisewise.audit.probabilities import OfGaussian
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.numbers.balls import precision
from noisewise.planning.readings.read_law import read_law
from tests.each_value import each_value

SMALL = {"bounds": (0, 4), "records": 2, "values": 3}
STEPS = {**SMALL, "granularity": 1}


@each_value(name=["count", "sum", "mean", "median", "quantiles", "histogram"])
def test_questions_keep_their_rho(name: str) -> None:
    own = {
        "count": {"records": 2, "values": 3},
        "quantiles": {**STEPS, "qs": [0.25, 0.75], "records": 1, "values": 2},
        "histogram": {"bins": [0.0, 1.0, 4.0], "records": 2, "values": 3},
        "median": STEPS,
    }.get(name, SMALL)
    audit = nws.audit.exact(name, rho=0.5, **own)
    assert audit.passed and audit.every and audit.claimed == Fraction(1, 2) and audit.order in ORDERS
    assert 0.02 < audit.loss.low <= audit.loss.high <= 0.5 + 1e-9
    assert "ρ = 0.5" in str(audit) and "of the Rényi divergence" in str(audit) and "range" not in str(audit)
    if name in ("count", "sum", "histogram"):
        assert audit.loss.high >= 0.5  # all of it is used
    assert "claimed" in audit.plot().svg and audit.row["verdict"] == "passed"


def test_a_person_in_groups() -> None:
    audit = nws.audit.table("count", rho=0.5, contributions=2, people=1, rows=2, per_group=1)
    assert audit.passed and 0.5 <= audit.loss.high <= 0.5 + 1e-9
    audit = nws.audit.table("median", rho=0.5, bounds=(0, 4), granularity=1, people=1, rows=2, values=2)
    assert audit.passed and audit.loss.low > 0.05


def test_groups_that_are_asked_one_by_one() -> None:
    """Each group is drawn after the other. A person with a record in each of two is in both."""
    asked = {"bins": [0.0, 0.5, 1.0], "contributions": 2, "per_group": 1, "people": 1, "rows": 2, "values": 2}
    audit = nws.audit.table("histogram", rho=0.5, **asked)
    assert audit.passed and 0.5 <= audit.loss.high <= 0.5 + 1e-9


def halves(records: list[int]) -> dict[str, float]:
    """Says "yes" with probability 3/4 if anybody is there, and else with 1/4."""
    return (
        {"yes": Fraction(3, 4), "no": Fraction(1, 4)}
        if records
        else {"yes": Fraction(1, 4), "no": Fraction(3, 4)}
    )  # type: ignore[dict-item]


def test_what_costs_more_is_a_violation() -> None:
    """Randomised response of epsilon ln 3 costs epsilon*tanh(epsilon/2) where orders fall to 1."""
    epsilon = math.log(3)
    most = epsilon * math.tanh(epsilon / 2)
    audit = nws.audit.exact(halves, rho=0.5, values=[0], records=1)
    assert not audit.passed and 0.95 * most < audit.loss.low <= most and audit.order == ORDERS[0]
    assert nws.audit.exact(halves, rho=0.56, values=[0], records=1).passed
    exactly = math.log(0.75**1.05 * 0.25**-0.05 + 0.25**1.05 * 0.75**-0.05) / 0.05 / 1.05
    assert audit.loss.low == pytest.approx(exactly, rel=1e-12)


def test_an_outcome_that_only_one_of_them_draws() -> None:
    never = nws.audit.exact(lambda records: {len(records): 1}, rho=1, values=[0], records=1)
    assert not never.passed and str(never.loss) == "infinite"


def test_balls_agree_with_floats() -> None:
    laws = [{0: 0.5, 1: 0.25, 2: 0.25}, {0: 0.25, 1: 0.5, 2: 0.25}]
    near, far = map(Draws.written, laws)
    found = diverging(near, far)
    assert found.order is not None
    assert float(certain_rho(near, far, found.order).mid()) == pytest.approx(found.log_ratio)


def test_chances_of_gaussian_noise_in_balls() -> None:
    import numpy as np

    for clamp in ((None, None), (0, None), (None, 4), (0, 4), (2, 2)):
        law = GaussianLaw(np.array([2]), Fraction(7, 2), Fraction(1), clamp)
        audited = OfGaussian(law)
        at = audited.outcomes()
        with precision(128):
            chances = [float(audited.ball(k).mid()) for k in at]
            assert float(audited.ball(99).mid()) == (0 if clamp[1] is not None else pytest.approx(0))
        assert chances == pytest.approx(np.exp(audited.logs(at)).tolist())
        assert sum(chances) == pytest.approx(1)
        assert np.asarray(read_law(law).pmf(at)) == pytest.approx(chances)
    assert len(OfGaussian(GaussianLaw(np.array([0]), Fraction(10**12))).outcomes()) < 10**4


def test_a_black_box_says_what_it_can_test() -> None:
    def sample(records: list[int], draws: int) -> list[int]:
        return [len(records)] * draws

    with pytest.raises(ParameterError, match="delta must be above 0 where rho is given"):
        nws.audit.black_box(sample, rho=0.5, values=[0, 1], draws=1000)
    audit = nws.audit.black_box(sample, rho=0.5, delta=0.001, values=[0, 1], draws=10_000)
    worth = nws.ZCDP(Fraction(1, 2)).as_approx(0.001).epsilon
    assert worth <= audit.claimed <= worth + Fraction(1, 10**6) and not audit.passed
    with pytest.raises(ParameterError, match="epsilon or rho must be given"):
        nws.audit.black_box(sample, values=[0, 1])
