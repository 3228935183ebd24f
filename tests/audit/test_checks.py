"""Checks pass right statistics, and name in words what is wrong with others."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise import Envelope, Mean, ParameterError, Quantile, Statistic
from noisewise.kernel.mechanisms import PiecewiseLaplace
from noisewise.testing import Violation, check_envelope, check_privacy

DOMAIN = [0, 1, 2, 4]


def median(x):
    return sorted(x)[(len(x) + 1) // 2 - 1] if x else 0


@dataclass(frozen=True)
class Broken(Statistic):
    """A median with a wrong envelope; ``how`` says what is wrong."""

    how: str

    def __str__(self) -> str:
        return "broken"

    def envelope(self, column, answers, levels):
        true = Quantile("1/2").envelope(column, answers, levels)
        lower, upper = true.lower.copy(), true.upper.copy()
        match self.how:
            case "narrow":
                upper[1:] = upper[:-1]
            case "shrinking":
                upper[-1:] = lower[-1:]
            case "centre":
                lower[0] = upper[0] = answers.high
            case "support":
                return Envelope.of(lower, upper, (answers.low, int(upper[-1])))
            case "impatient" if column.count == 2:
                lower[1:], upper[1:] = answers.low, answers.high
            case "even" if column.count % 2 == 0:
                lower[1:], upper[1:] = answers.low, answers.high
            case "open":
                return Envelope.of(lower, upper, (None, answers.high))
            case "float":
                return Envelope.of(lower + 0.5, upper, answers.support)
            case "nothing":
                return None
            case "wide":
                return Envelope.of([answers.low], [answers.high], answers.support)
        return Envelope.of(lower, upper, answers.support)


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_what_is_right_passes(neighbors):
    checked = check_envelope(
        Quantile("1/2"), domain=DOMAIN, answer=median, bounds=(0, 4), neighbors=neighbors
    )
    assert checked.datasets == 70
    assert str(checked) == f"sound, monotone and nested: 70 datasets, {checked.pairs} pairs of neighbours"
    private = check_privacy(
        Quantile("1/2"), domain=[None, -3, 0.4, 1.5, 9], bounds=(0, 4), neighbors=neighbors, most=3
    )
    assert str(private).startswith("private at epsilon 1: ")


def test_fractional_answers_are_floored_and_people_own_several_records():
    mean = lambda x: Fraction(sum(x), len(x)) if x else 0  # noqa: E731
    assert check_envelope(
        Mean(), domain=[0, 1, 4], answer=mean, bounds=(0, 4), granularity=0.5, contributions=2, levels=2
    ).pairs
    assert check_privacy(
        Mean(), domain=[0, 1.3, 4], bounds=(0, 4), granularity=1, contributions=2, most=3, epsilon=0.5
    ).pairs


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            "narrow",
            r"too narrow at \[\d.*\]: \d (person|people) can reach answers from \d to \d, but level \d is \d to \d",
        ),
        ("shrinking", r"broken at \[.*\]: the envelope of broken must only widen from level to level"),
        ("centre", r"(wrong answer|broken) at \["),
        ("support", r"broken at \[\]: the envelope of broken must have answers.support for its support"),
        ("open", r"broken at \[\]: the envelope of broken must have answers.support for its support"),
        ("float", r"broken at \[\]: levels must be whole numbers"),
        ("nothing", r"broken at \[\]: envelope\(\) of broken must return an Envelope"),
        ("wide", r"wrong answer at \[\]: it is 0, level 0 is 0 to 4"),
        (
            "even",
            r"not nested: level \d of \[.*\] is \d to \d, which is not inside level \d of its neighbour \[.*\]",
        ),
    ],
)
def test_what_is_wrong_is_named(how, message):
    with pytest.raises(Violation, match=message):
        check_envelope(Broken(how), domain=DOMAIN, answer=median, bounds=(0, 4))


@pytest.mark.parametrize("how", ["narrow", "even"])
def test_what_is_not_private_is_named(how):
    with pytest.raises(Violation, match=r"not private: (from|between) \[.*\] (to|and) its neighbour \["):
        check_privacy(Broken(how), domain=DOMAIN, bounds=(0, 4), most=3)


def test_a_wide_answer_is_not_private_even_if_it_holds_everything():
    assert isinstance(Violation("x"), AssertionError)
    with pytest.raises(Violation):
        check_privacy(Broken("impatient"), domain=DOMAIN, bounds=(0, 4), most=4)


def test_a_mechanism_that_spends_more_than_it_says_is_named():
    @dataclass(frozen=True, init=False)
    class Greedy(PiecewiseLaplace):
        def law(self, envelope, answers):
            return PiecewiseLaplace(epsilon=3 * self.epsilon).law(envelope, answers)

    with pytest.raises(Violation, match="the log ratio runs from"):
        check_privacy(
            Quantile("1/2"), domain=DOMAIN, bounds=(0, 4), most=3, epsilon=1, mechanism=Greedy(epsilon=1)
        )


def test_a_world_too_large_is_refused():
    with pytest.raises(ParameterError, match="domain and most must make from 1 to 100,000 datasets"):
        check_envelope(Mean(), domain=range(100), answer=median, bounds=(0, 99), most=6)


def test_rows_are_tuples():
    @dataclass(frozen=True)
    class Agreements(Statistic):
        columns = 2
        reach: int = 1

        def __str__(self) -> str:
            return "agreements"

        def frame(self, bounds, granularity):
            return nws.Count().frame(None, granularity)

        def sensitivity(self, frame, neighbors, size):
            return self.reach

        def envelope(self, rows, answers, levels):
            same = int((rows.values[0] == rows.values[1]).sum())
            edits = range(levels + 1)
            return Envelope.of(
                [max(same - l, 0) for l in edits], [same + l for l in edits], (0, None), stride=1
            )

    rows = [(0, 0), (0, 1), (1, 0)]
    checked = check_envelope(Agreements(), domain=rows, answer=lambda x: sum(a == b for a, b in x), most=3)
    assert checked.datasets == 20
    assert check_privacy(Agreements(), domain=[*rows, (None, 0)], most=3, mechanism="piecewise_laplace").pairs
    with pytest.raises(
        Violation, match=r"sensitivity is too small: .* moves by 1 steps, but .* promises at most 0"
    ):
        check_envelope(Agreements(0), domain=rows, answer=lambda x: sum(a == b for a, b in x), most=2)


def test_the_order_of_the_records_may_not_show():
    @dataclass(frozen=True)
    class First(Statistic):
        """The number of the first row, which depends on the order of the rows."""

        columns = 2

        def envelope(self, rows, answers, levels):
            first = int(rows.values[0][0]) if rows.count else 0
            return Envelope.of([first], [first], answers.support)

    with pytest.raises(Violation, match="depends on the order of the records at"):
        check_envelope(
            First(), domain=[(0, 0), (3, 0)], answer=lambda x: x[0][0] if x else 0, bounds=(0, 4), most=2
        )


def test_a_domain_need_not_be_sorted_or_sortable():
    known = lambda x: [v for v in x if v is not None]  # noqa: E731
    checked = check_envelope(
        Quantile("1/2"), domain=[4, None, 0], answer=lambda x: median(known(x)), bounds=(0, 4), most=3
    )
    assert checked.datasets == 20
    with pytest.raises(ParameterError, match="domain and most must make"):
        check_envelope(Mean(), domain=[], answer=median, bounds=(0, 4))


def test_an_envelope_for_one_relation_is_not_released_for_the_other():
    @dataclass(frozen=True)
    class Mine(Broken):
        how: str = ""

    assert str(Mine()) == "broken"
    with pytest.raises(ParameterError, match="neighbors must be 'add_remove' for broken, got 'swap'"):
        nws.release(Mine(), [1, 2], bounds=(0, 4), epsilon=1, neighbors="swap")
