"""The audit of black boxes finds wrong samplers of any library, and fails right ones as rarely as it claims."""

from fractions import Fraction

import numpy as np
import pytest

from noisewise.audit.black_box_audit import black_box, sampler
from noisewise.audit.exact_audit import default_subject
from noisewise.audit.subjects import default_keywords, every_kind
from noisewise.errors import ParameterError, ParameterTypeError
from tests.audit import wrong

ONE = [([], [1])]


@pytest.mark.parametrize(
    ("sample", "least", "reading"),
    [
        (wrong.numpy_laplace, 3, "binary places"),
        (wrong.diffprivlib_laplace, 3, "binary places"),
        (wrong.half_the_noise, 1.5, "answer"),
    ],
)
def test_a_wrong_sampler_is_a_violation(sample, least, reading):
    found = black_box(sample, epsilon=1, pairs=ONE, draws=8000)
    assert not found.passed and found.epsilon > least and found.event.startswith(reading)
    assert str(found).startswith(f"VIOLATION: {sample.__name__}, a black box")
    assert found.plot().svg.startswith("<svg") and "VIOLATION" in found._repr_html_()


def test_a_right_sampler_passes_and_the_bound_is_not_far_below_the_truth():
    found = black_box(wrong.right_noise, epsilon=1, pairs=ONE, draws=20_000)
    assert found.passed and 0.8 < found.epsilon <= 1
    assert found.row["verdict"] == "passed" and len(found.frame) == 1


def test_our_own_draws_pass_and_their_words_can_be_looked_at():
    asked = {"bounds": (0, 4), "granularity": 1, "epsilon": 1}
    found = black_box(sampler("median", **asked), epsilon=1, values=[0, 4], draws=3000, most_pairs=3)
    assert found.passed and found.question == "median" and found.epsilon > 0.5
    counted = sampler("quantiles", [Fraction(1, 2)], words=True, **asked)([0, 4], 5)
    assert len(counted) == 5 and all(words >= 1 for _, words in counted)


@pytest.mark.audit
@pytest.mark.parametrize("kind", every_kind(), ids=lambda each: each.name)
def test_the_draws_of_every_question_pass(kind):
    """The draws of our own samplers, audited without knowledge of their laws."""
    if "edges" not in kind.capabilities.columns:
        subject = default_subject(kind, "add_remove", records=2)
        assert subject is not None
        keywords = default_keywords(kind, epsilon=1)
        pairs = list(subject.space.shapes())[:2]
        assert black_box(sampler(kind.name, **keywords), epsilon=1, pairs=pairs, draws=2000).passed


def test_false_alarms_are_as_rare_as_the_confidence_says():
    """At a confidence of 90% randomised response of exactly epsilon fails at most a tenth of the time."""
    dice, chance = np.random.default_rng(5), float(np.e / (1 + np.e))

    def response(data, n):
        return (dice.random(n) < (chance if data else 1 - chance)).astype(int)

    audits = [
        black_box(response, epsilon=1, pairs=ONE, draws=400, confidence=Fraction(9, 10)) for _ in range(100)
    ]
    assert sum(not each.passed for each in audits) <= 10
    assert max(each.epsilon for each in audits) > 0.7


def test_the_event_is_chosen_and_tested_on_different_draws():
    """An event that happens only in the first half of the draws, which chooses the event, is no evidence."""

    def repeats_at_first(data, n):
        return [f"{len(data)}"] * (n // 2) + ["same"] * (n - n // 2)

    assert black_box(repeats_at_first, epsilon=1, pairs=ONE, draws=1000).epsilon == 0


def test_delta_is_forgiven():
    def tells_rarely(data, n):
        dice = np.random.default_rng(len(data))
        return np.where(dice.random(n) < 0.05, 100 + len(data), 0)

    assert not black_box(tells_rarely, epsilon=1, pairs=ONE, draws=20_000).passed
    assert black_box(tells_rarely, epsilon=1, delta=Fraction(1, 10), pairs=ONE, draws=20_000).passed


def test_words_and_features_of_ones_own_are_looked_at():
    def slow(data, n):
        return [(0, 2 + len(data))] * n

    assert black_box(slow, epsilon=1, pairs=ONE, draws=1000).event == "answer[1] is 2"

    def hidden(data, n):
        return np.arange(n) * 2 + len(data)

    assert not black_box(
        hidden, epsilon=1, pairs=ONE, draws=1000, features={"parity": lambda draws: draws % 2}
    ).passed


def test_pairs_are_made_of_bounds_or_values():
    told = []
    found = black_box(
        wrong.right_noise,
        epsilon=1,
        bounds=(0, 1),
        values=2,
        draws=200,
        most_pairs=3,
        progress=lambda *now: told.append(now),
    )
    assert found.pairs == 3 and [each[0] for each in told] == [1, 2, 3]
    assert black_box(wrong.right_noise, epsilon=1, values=[0, 1], neighbors="swap", draws=200).passed


def test_what_is_wrong_with_a_call_is_said():
    for words, call in {
        "sample must be a function": lambda: black_box(3, epsilon=1, pairs=ONE),
        "pairs must be given, or else bounds": lambda: black_box(wrong.right_noise, epsilon=1),
        "pairs must hold a pair": lambda: black_box(wrong.right_noise, epsilon=1, pairs=[]),
        "confidence must be above 0": lambda: black_box(
            wrong.right_noise, epsilon=1, pairs=ONE, confidence=1
        ),
        "delta must be from 0": lambda: black_box(wrong.right_noise, epsilon=1, pairs=ONE, delta=1),
        "sample must return as many draws as it is asked for, 100,000": lambda: black_box(
            lambda data, n: [1], epsilon=1, pairs=ONE
        ),
    }.items():
        with pytest.raises((ParameterError, ParameterTypeError), match=words):
            call()
