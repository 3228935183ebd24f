"""What is public about a question is worked out once, and before anything is paid."""

import os
import sys
from collections import Counter

import pytest

import noisewise as nws
from noisewise.questions import pull, wide
from noisewise.questions.choice import choose
from noisewise.questions.request import Request, check_terms
from noisewise.statistics.statistic import Statistic

FACTS = {
    pull.aim.__code__,
    pull.epsilon_per_record.__code__,
    pull.shifted.__code__,
    wide.is_all_noise.__code__,
    wide.people_off.__code__,
    wide.records_needed.__code__,
    wide.Width.of.__func__.__code__,
    choose.__code__,
    check_terms.__code__,
    Request.of.__func__.__code__,
}
METHODS = {"edits_off", "frame", "least_records", "records_moved_by", "sensitivity", "shifted", "steady"}
ASKED = {
    "median": (nws.median, {"bounds": (0, 9)}),
    "by three records": (nws.median, {"bounds": (0, 9), "contributions": 3}),
    "swapped": (nws.median, {"bounds": (0, 9), "neighbors": "swap"}),
    "shifted": (nws.max, {"bounds": (0, 9), "mechanism": "shifted_inverse"}),
    "by levels": (nws.variance, {"bounds": (0, 9)}),
    "mean": (nws.mean, {"bounds": (0, 9)}),
    "trimmed": (nws.trimmed_mean, {"bounds": (0, 9), "alpha": 0.1}),
    "sum": (nws.sum, {"bounds": (0, 9)}),
    "count": (nws.count, {}),
}


class Watch:
    """A ledger that notes what had been worked out when it was debited."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.before: Counter[str] | None = None

    def debit(self, *_: object, **__: object) -> None:
        self.before = Counter(self.calls)

    def __call__(self, frame, event, _):
        by_itself = (
            f"{os.sep}statistics{os.sep}" in frame.f_back.f_code.co_filename
        )  # as a part of its envelope
        own = isinstance(frame.f_locals.get("self"), Statistic) and frame.f_code.co_name in METHODS
        own = own and not by_itself
        if event == "call" and (own or frame.f_code in FACTS):
            self.calls[frame.f_code.co_qualname] += 1


@pytest.mark.usefixtures("monkeypatch")  # so that nothing is remembered from an earlier test
@pytest.mark.parametrize("case", ASKED)
def test_each_public_fact_is_worked_out_once_and_before_the_debit(case):
    ask, keywords = ASKED[case]
    watch = Watch()
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        ask([1, 2, 3, 4], epsilon=1, ledger=watch, **keywords)
    finally:
        sys.setprofile(before)
    assert watch.calls and set(watch.calls.values()) == {1}, watch.calls
    assert watch.before == watch.calls
