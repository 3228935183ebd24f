"""Asking any statistic: what is refused before the debit, and what never fails after it."""

import inspect
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise import ParameterError, ParameterTypeError
from noisewise.dataset.batches import OfColumns
from noisewise.questions.functions.own_statistic import release
from noisewise.questions.request import Request, Searched, request


class Ledger:
    def __init__(self):
        self.debits = 0

    def debit(self, loss, *, neighbors, contributions, memo):
        self.debits += 1


def test_release_shows_the_keywords_of_every_question():
    assert nws.release is release
    shown, median = inspect.signature(release).parameters, inspect.signature(nws.median).parameters
    of_people = {"per_person"}  # totals of people are asked of a Dataset, by its own questions
    assert list(shown)[2:] == [name for name in list(median)[1:] if name not in of_people]
    assert [shown[k].default for k in list(shown)[3:]] == [median[k].default for k in list(shown)[3:]]


def test_the_way_is_chosen_by_the_bounds():
    assert isinstance(request(nws.Mean(), [1.0], bounds=(0, 1), epsilon=1), Request)
    assert isinstance(request(nws.Count(), [1.0], epsilon=1), Request)
    assert isinstance(request(nws.Mean(), [1.0], bounds="private", epsilon=1), Searched)
    with pytest.raises(ParameterError, match='bounds_share must be left out unless bounds are "private"'):
        request(nws.Mean(), [1.0], bounds=(0, 1), epsilon=1, bounds_share=0.5)


@pytest.mark.parametrize("record", [1.5 * 2.0**-31, 1.5 * 2.0**-24, 1.5 * 2.0**56])
@pytest.mark.parametrize("statistic", [nws.Quantile("1/2"), nws.Std(), nws.Mean()], ids=str)
def test_bounds_that_are_found_are_powers_of_two_and_not_the_decimals_that_print_them(record, statistic):
    """Their decimals can be a little less than two granularities apart, and the question would fail after the debit."""
    step = Fraction(2) ** (int(record.hex().partition("p")[2]) - 1)
    released = nws.release(statistic, [record] * 3000, bounds="private", epsilon=4, granularity=step)
    low, high = released.bounds
    assert low < record < high
    assert type(low) is type(high) is float


@pytest.mark.parametrize(
    "asked",
    [
        {"statistic": nws.Sum(), "granularity": Fraction(1, 2**51), "contributions": 4096, "epsilon": 10},
        {"statistic": nws.Sum(), "epsilon": Fraction(1, 10**30)},
        {"statistic": nws.Count(), "contributions": 10**8, "epsilon": 1},
    ],
    ids=["a person moves it out of 64 bits", "a tiny epsilon", "a person with many records"],
)
def test_an_open_side_that_needs_too_much_is_refused_before_the_debit(asked):
    ledger, statistic = Ledger(), asked["statistic"]
    bounds = None if str(statistic) == "count" else (0, 1)
    rest = {key: value for key, value in asked.items() if key != "statistic"}
    with pytest.raises(ParameterError, match=f"for {statistic}"):
        release(statistic, [0.5] * 9, bounds=bounds, mechanism="piecewise_laplace", ledger=ledger, **rest)
    assert ledger.debits == 0


def test_a_sum_is_never_too_large_to_be_told():
    with pytest.raises(ParameterError, match="granularity must be a whole number where sums can pass"):
        nws.sum([1.7e308], bounds=(0, 17 * 10**307), granularity=Fraction(10**305, 3), epsilon=20)
    released = nws.sum([1.7e308] * 3, bounds=(0, 17 * 10**307), granularity=10**305, epsilon=20)
    assert isinstance(released.value, int)


def test_the_names_of_columns_are_in_the_memo_and_in_the_answer():
    asked = request(nws.Quantile("1/2"), [1.0], bounds=(0, 1), epsilon=1)
    named = OfColumns(asked, ("salary",))
    assert named.memo == "median of salary by balance/1"
    assert OfColumns(asked, ("x", "y"), ("dept", "year")).memo == "median of x, y by balance/1 by dept, year"
    assert OfColumns(asked, ()).memo == asked.memo
    assert (named.loss, named.neighbors, named.contributions) == (asked.loss, "add_remove", 1)
    assert named.answer("entry").columns == ("salary",) and named.answer("entry").receipt == "entry"
    assert repr(named) == "<OfColumns: withheld>"


def test_tiny_epsilons_and_few_records():
    for statistic in (nws.Range(), nws.IQR(), nws.Variance(), nws.Quantile(1)):
        for data in ([], [0.5], [0.5, 0.7]):
            released = release(statistic, data, bounds=(0, 1), epsilon=Fraction(1, 10**12), neighbors="swap")
            assert 0 <= released.value <= 1


def test_what_is_no_statistic_is_told_what_to_be():
    with pytest.raises(ParameterTypeError, match=r"got the class Mean: write Mean\(\)"):
        release(nws.Mean, [1], bounds=(0, 1), epsilon=1)
    with pytest.raises(ParameterTypeError, match="got the function median"):
        release(nws.median, [1], bounds=(0, 1), epsilon=1)
    with pytest.raises(ParameterTypeError, match="got 'median'"):
        release("median", [1], bounds=(0, 1), epsilon=1)
