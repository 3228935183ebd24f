"""Several noisy sums: private together, and what their noise says of the answer is true as often as it says."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import noisewise as nws
from noisewise.hazmat import SeededBits
from noisewise.questions import several_sums
from noisewise.questions.noise_interval import FromSums, bound
from noisewise.questions.request import Request
from noisewise.questions.several_sums import SeveralSums

PAIRS = list(product((0.0, 0.4, 1.0, 2.9, 7.0), repeat=2))
STATISTICS = {
    "variance": (nws.Variance(), {"bounds": (0, 3)}),
    "f1": (nws.F1(), {}),
    "weighted_mean": (nws.WeightedMean(), {"bounds": (0, 3)}),
    "ratio": (nws.Ratio(), {"bounds": (0, 3)}),
    "rmse": (nws.RMSE(), {"bounds": (0, 3)}),
    "r2": (nws.R2(), {"bounds": (0, 3)}),
    "pearson": (nws.Pearson(), {"bounds": (0, 3)}),
}


def request_of(name, rows, **more):
    """A request about rows (x, y), of which the first column alone may count."""
    statistic, keywords = STATISTICS[name]
    columns = tuple(np.array(rows, float).reshape(-1, 2).T)
    data = columns if statistic.columns > 1 else columns[0]
    return Request.of(statistic, data, **{"epsilon": 1, **keywords, **more})


def sums_of(name, rows, **more):
    request = request_of(name, rows, **more)
    return SeveralSums.of(request, request.statistic.summands(request.frame), Fraction(1))


def centres(sums):
    column = sums.request.data.read(sums.request.frame.records, sums.request.neighbors)
    return np.array(sums.law(sums.request.statistic.sums(column), sums.summands.units).envelope.lower)


@pytest.mark.parametrize("steps", [4, 2**28])
@pytest.mark.parametrize("name", STATISTICS)
def test_a_person_moves_all_sums_together_no_further_than_is_said(name, steps, monkeypatch):
    """Laplace noise hides what moves by at most its sensitivity, all sums together; and hardly less would do."""
    monkeypatch.setattr(several_sums, "STEPS", steps)
    for neighbors, owned in (("add_remove", 1), ("add_remove", 3), ("swap", 1)):
        how = {"neighbors": neighbors, "contributions": owned}
        alone = sums_of(name, [(0.4, 1.0)], **how)
        others = [(0.4, 1.0), (2.9, 0.4)]
        kept = others[:1] if neighbors == "swap" else others
        at = {pair: centres(sums_of(name, [*kept, *[pair] * owned], **how)) for pair in PAIRS}
        without = [centres(sums_of(name, kept, **how))] if neighbors == "add_remove" else at.values()
        moved = max(int(np.abs(a - b).sum()) for a in at.values() for b in without)
        assert moved <= alone.noise.sensitivity
        most = alone.noise.sensitivity - len(alone.summands.units)
        assert moved >= most * (0.7 if steps > 4 else 0.5), (neighbors, owned, moved, most)


def test_a_record_at_a_bound_moves_one_sum_alone():
    """A record at a bound moves one of the three sums of a variance by a whole record: the scale is no larger."""
    sums = sums_of("variance", [(3.0, 0.0)])
    assert centres(sums).tolist() == [0, 0, 2**28] and sums.noise.sensitivity == 2**28 + 2


ROWS = [(0.1 * k, 0.1 * (k + 3 * (k % 5))) for k in range(30)]
TRUTH = {
    "pearson": np.corrcoef(*np.minimum(np.array(ROWS).T, 3))[0, 1],
    "variance": np.var([x for x, _ in ROWS]),
    "rmse": np.sqrt(np.mean([min(abs(x - y), 3) ** 2 for x, y in ROWS])),
    "weighted_mean": np.average(
        *np.minimum(np.array(ROWS).T, 3)[:1], weights=np.minimum([y for _, y in ROWS], 3)
    ),
    "ratio": sum(x for x, _ in ROWS) / sum(min(y, 3) for _, y in ROWS),
}


def noisy(sums, draws, scale=Fraction(1)):
    """So many draws of all sums, with noise that is so much wider than is said."""
    column = sums.request.data.read(sums.request.frame.records, sums.request.neighbors)
    law = sums.law(sums.request.statistic.sums(column), sums.summands.units)
    if scale != 1:
        wider = SeveralSums(
            sums.request,
            sums.price,
            type(sums.noise)(epsilon=sums.noise.epsilon / scale, sensitivity=sums.noise.sensitivity),
            sums.summands,
            sums.steps,
            sums.moved,
        )
        law = wider.law(sums.request.statistic.sums(column), sums.summands.units)
    each = [law[k].draw(draws, bits=SeededBits(k)) for k in range(len(sums.summands.units))]
    return np.column_stack(each).astype(np.int64)


@pytest.mark.parametrize("name", TRUTH)
def test_ten_thousand_intervals_miss_on_neither_side_more_often_than_they_say(name):
    miss = Fraction(1, 5)
    sums = sums_of(name, ROWS)
    truth = TRUTH[name] / float(sums.request.frame.answers.granularity)
    ends = np.array([sums.ends(drawn, miss) for drawn in noisy(sums, 10_000).tolist()])
    below, above = np.mean(ends[:, 1] < truth - 1e-3), np.mean(ends[:, 0] > truth + 1e-3)
    assert max(below, above) <= 0.1
    assert below + above > 0 or name == "pearson", "and they are not as wide as the range"


def test_all_sums_lie_in_the_box_together():
    """Three sums share the chance to miss; noise that is a tenth wider than is said is noticed."""
    sums, miss = sums_of("variance", ROWS), Fraction(1, 5)
    reach, at = sums.reach(miss), centres(sums)

    def held(scale):
        return np.mean(np.all(np.abs(noisy(sums, 10_000, scale) - at) <= reach, axis=1))

    assert 0.8 - 0.008 <= held(Fraction(1)) <= 0.83
    assert held(Fraction(11, 10)) < 0.78


def test_a_share_misses_as_often_as_it_says_next_to_its_end():
    """All rows are hits, so that the upper end alone can miss: as often as half of the chance says."""
    sums, miss = sums_of("f1", [(1.0, 1.0)] * 40), Fraction(1, 5)

    def missed(scale):
        boxes = (sums.box(drawn, miss) for drawn in noisy(sums, 10_000, scale).tolist())
        return np.mean([errors > 0 for _, (errors, _) in boxes])

    assert 0.09 < missed(Fraction(1)) < 0.107
    assert missed(Fraction(11, 10)) > 0.11


def test_sums_that_are_rounded_down_hold_the_answer_all_the_same(monkeypatch):
    """Without any noise: what remains is the rounding, and it is granted."""
    monkeypatch.setattr(several_sums, "STEPS", 4)
    monkeypatch.setattr(SeveralSums, "reach", lambda self, miss: 0)
    rng = np.random.default_rng(2)
    for _ in range(60):
        rows = rng.uniform(0.01, 3, (rng.integers(1, 6), 2))
        for name, truth in (
            ("weighted_mean", np.average(rows[:, 0], weights=rows[:, 1])),
            ("ratio", rows[:, 0].sum() / rows[:, 1].sum()),
            ("variance", rows[:, 0].var()),
        ):
            sums = sums_of(name, rows)
            low, high = sums.ends(centres(sums).tolist(), Fraction(1, 20))
            step = float(sums.request.frame.answers.granularity)
            assert low * step - 1e-9 <= truth <= high * step + 1e-9, (name, rows)


def asked(name, rows, **more):
    statistic, keywords = STATISTICS[name]
    columns = tuple(np.array(rows, float).reshape(-1, 2).T)
    data = columns if statistic.columns > 1 else columns[0]
    return bound(
        lambda **own: Request.of(statistic, data, **own),
        {"interval": Fraction(9, 10), "epsilon": 1, **keywords, **more},
    )


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("name", STATISTICS)
def test_what_it_costs_and_who_answers(name, neighbors):
    question = asked(name, ROWS, neighbors=neighbors)
    release = question.answer()
    assert isinstance(question, FromSums) and question.loss.epsilon == release.privacy.epsilon == 1
    low, high = release.interval
    assert low <= release.value <= high and release.interval.kind == "noise"
    if question.sums.answers_too:
        assert (
            release.law == "several-sums/1"
            and release.interval.epsilon == 0
            and release.mechanism == "laplace"
        )
    else:
        assert release.law.endswith(", interval by several-sums/1") and release.interval.epsilon == Fraction(
            1, 2
        )
        assert question.sums.noise.epsilon == question.answered.mechanism.epsilon == Fraction(1, 2)


def test_no_rows_have_the_answer_of_none():
    """Whatever noise within its reach says of sums that are 0: the lowest answer, or 0 of a correlation, is held."""
    for name in STATISTICS:
        sums, miss = sums_of(name, []), Fraction(1, 20)
        least, most = sums.request.frame.answers.support
        for drawn in (0, sums.reach(miss)):
            low, high = sums.ends([drawn] * len(sums.summands.units), miss)
            assert (low <= 0 <= high if name == "pearson" else low == least) and high == most
    sums = sums_of("ratio", [])
    assert sums.estimate([0, 0]) == 0 and sums.estimate([5, 0]) == sums.request.frame.answers.high


def test_too_many_records_of_a_person_are_refused():
    with pytest.raises(nws.ParameterError, match="contributions must be smaller for an interval of variance"):
        sums_of("variance", [], contributions=2**40)


def test_whoever_changes_the_answer_must_say_its_sums():
    class Doubled(nws.Variance):
        def envelope(self, column, answers, levels):
            return nws.Variance.envelope(self, column, answers, levels)

    frame = nws.Variance().frame((0, 1), None)
    assert nws.Variance().summands(frame) is not None
    assert Doubled().summands(frame) is None
    assert nws.Quantile(0.5).summands(frame) is None
