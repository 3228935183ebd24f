"""The envelope's operations, one by one: what each level becomes, for one group and for many."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.errors import ParameterTypeError
from noisewise.kernel.laws.envelope import Envelope, level_rule

BOUNDED = Envelope.of([5, 4, 2, 2], [6, 6, 9, 11], (0, 20))
ENDLESS = Envelope.of([5, 3, 2], [5, 8, 12], (None, None), stride=4)
HALF_OPEN = Envelope.of([5, 3, 2], [5, 8, 12], (0, None), stride=4)
EMPTY = Envelope.of([0], [0], (0, 20))


def levels(envelope: Envelope, count: int) -> list[tuple[int, int]]:
    return [envelope.level(l) for l in range(count)]


def test_beyond_the_last_level_a_bounded_side_jumps_and_an_unbounded_one_strides() -> None:
    assert levels(BOUNDED, 6) == [(5, 6), (4, 6), (2, 9), (2, 11), (0, 20), (0, 20)]
    assert levels(ENDLESS, 5) == [(5, 5), (3, 8), (2, 12), (-2, 16), (-6, 20)]
    assert levels(HALF_OPEN, 5) == [(5, 5), (3, 8), (2, 12), (0, 16), (0, 20)]


def test_widen_moves_every_edge_and_stays_in_the_support() -> None:
    assert levels(BOUNDED.widen(3), 5) == [(2, 9), (1, 9), (0, 12), (0, 14), (0, 20)]
    assert levels(ENDLESS.widen(3), 4) == [(2, 8), (0, 11), (-1, 15), (-5, 19)]
    assert levels(BOUNDED.widen(100), 2) == [(0, 20), (0, 20)]


@pytest.mark.parametrize("envelope", [BOUNDED, ENDLESS, HALF_OPEN, EMPTY])
@pytest.mark.parametrize("records", [1, 2, 3, 4, 7])
def test_every_is_the_level_of_so_many_records_at_all_levels(envelope: Envelope, records: int) -> None:
    people = envelope.per_person(records)
    assert levels(people, 9) == [envelope.level(records * l) for l in range(9)]


@pytest.mark.parametrize("kept", [0, 1, 2, 3, 9])
def test_truncate_keeps_the_first_levels(kept: int) -> None:
    last = min(kept, 3)
    assert levels(BOUNDED.truncate(kept), 6) == levels(BOUNDED, last + 1) + [(0, 20)] * (5 - last)
    strides = ENDLESS.truncate(1)
    assert levels(strides, 4) == [(5, 5), (3, 8), (-1, 12), (-5, 16)]


def test_extend_floors_rational_steps_and_clips() -> None:
    start = Envelope.of([5, 4], [5, 6], (0, 9))
    further = start.extend(Fraction(4, 3), 6, edges=(Fraction(13, 3), Fraction(20, 3)))
    assert levels(further, 8) == [(5, 5), (4, 6), (3, 8), (1, 9), (0, 9), (0, 9), (0, 9), (0, 9)]
    assert levels(start.extend(Fraction(1), 3), 4) == [(5, 5), (4, 6), (3, 7), (2, 8)]


def test_splice_takes_the_looser_levels_from_a_public_level_on() -> None:
    looser = Envelope.of([5, 3, 1, 0], [6, 8, 12, 15], (0, 20))
    assert levels(BOUNDED.splice(looser, at=2), 5) == [(5, 6), (4, 6), (1, 12), (0, 15), (0, 20)]
    assert levels(EMPTY.splice(looser, at=3), 5) == [(0, 0), (0, 20), (0, 20), (0, 15), (0, 20)]


def test_a_batch_is_its_groups() -> None:
    batch = Envelope.stack([BOUNDED, EMPTY, BOUNDED.truncate(1)])
    assert len(batch) == 3
    for operation in (
        lambda e: e,
        lambda e: e.widen(2),
        lambda e: e.per_person(2),
        lambda e: e.per_person(5),
        lambda e: e.truncate(1),
    ):
        whole, parts = operation(batch), [operation(batch[g]) for g in range(3)]
        assert [levels(whole[g], 6) for g in range(3)] == [levels(part, 6) for part in parts]


def test_the_laws_tell_right_from_wrong() -> None:
    assert is_monotone(BOUNDED)
    assert is_monotone(ENDLESS)
    assert not is_monotone(Envelope.of([5, 6], [6, 7], (0, 20)))
    assert not is_monotone(Envelope.of([5, 4], [6, 5], (0, 20)))
    assert not is_monotone(Envelope.of([7], [6], (0, 20)))
    assert not is_monotone(Envelope.of([5], [25], (0, 20)))
    neighbor = Envelope.of([4, 4, 3, 1], [5, 7, 9, 12], (0, 20))
    assert nests_in(BOUNDED, neighbor)
    assert nests_in(neighbor, BOUNDED)
    assert not nests_in(EMPTY, BOUNDED)
    assert not nests_in(BOUNDED, Envelope.of([5, 5, 5], [5, 5, 9], (0, 20)))
    assert not nests_in(BOUNDED, Envelope.of([5, 4, 2, 2], [6, 6, 9, 11], (0, 21)))


def test_the_level_rule_is_that_of_the_jump_mass() -> None:
    """K at epsilon 1 and 0.1 on a million points, and the mass it leaves to the jump: below e^-30."""
    assert level_rule(10**6 + 1, Fraction(1, 2)) == math.ceil(2 * (math.log(10**6 + 1) + 30))
    assert level_rule(10**6 + 1, Fraction(1, 20)) == 877
    for points in (2, 1000, 2**32, 2**52):
        for rate in (Fraction(1, 2_000_000), Fraction(1, 2), Fraction(32)):
            assert points * math.exp(-float(rate) * level_rule(points, rate)) <= math.exp(-30) * (1 + 1e-9)


def test_an_envelope_does_not_print_itself() -> None:
    assert repr(BOUNDED) == "<Envelope: withheld>"
    assert not np.array_equal(BOUNDED.lower, BOUNDED.upper)


@pytest.mark.parametrize(
    ("lower", "upper", "support", "stride", "rule"),
    [
        ([2, 1], [2, 3], (0, 4), None, None),
        ([2, 1], [2, 3], (None, 4), 1, None),
        ([], [], (0, 4), None, "at least one"),
        ([2], [2, 3], (0, 4), None, "as many lower levels as upper ones"),
        ([3], [2], (0, 4), None, "only widen"),
        ([1, 2], [2, 3], (0, 4), None, "only widen"),
        ([2, 1], [3, 2], (0, 4), None, "only widen"),
        ([2, -1], [2, 3], (0, 4), None, "stay within the public support"),
        ([2, 1], [2, 5], (0, 4), None, "stay within the public support"),
        ([2, 1], [2, 3], (None, 4), None, "have a stride"),
        ([2, 1], [2, 3], (0, None), 0, "have a stride"),
    ],
)
def test_an_envelope_of_nothing_is_told_what_is_wrong(lower, upper, support, stride, rule):
    fault = Envelope.of(lower, upper, support, stride).fault(support)
    assert fault is None if rule is None else rule in fault


def test_an_envelope_has_the_support_of_the_answers_that_were_judged():
    """Laplace noise is scaled by the judged support and clamped to the envelope's."""
    for support in ((0, 5), (-4, 4), (None, 4), (0, None), (None, None)):
        assert "answers.support" in str(Envelope.of([2, 1], [2, 3], support, 1).fault((0, 4)))


def test_every_envelope_of_a_batch_is_judged():
    sound, wide = Envelope.of([2, 1], [3, 4], (0, 4)), Envelope.of([2], [2], (0, 4))
    assert Envelope.stack([sound, wide, sound]).fault((0, 4)) is None
    for lower, upper, rule in (
        ([1, 2], [2, 3], "only widen"),
        ([2, 1], [3, 2], "only widen"),
        ([3], [2], "only widen"),
        ([-1], [2], "stay within"),
        ([2], [5], "stay within"),
        ([], [], "at least one"),
    ):
        for place in range(3):
            envelopes = [sound, wide]
            envelopes.insert(place, Envelope.of(lower, upper, (0, 4)))
            assert rule in str(Envelope.stack(envelopes).fault((0, 4)))


def test_levels_are_whole_numbers():
    with pytest.raises(ParameterTypeError, match="levels must be whole numbers"):
        Envelope.of([1.5], [2], (0, 4))


@pytest.mark.parametrize("support", [(-9, 9), (None, 9), (-9, None), (None, None)])
def test_rows_go_on_as_levels_do(support):
    envelopes = [Envelope.of([0, -1], [0, 2], support, 3), Envelope.of([1], [1], support, 3)]
    envelopes.append(Envelope.of([2, 2, -1], [2, 5, 6], support, 3))
    batch = Envelope.stack(envelopes)
    for places in ([0, 1, 2], [2, 0], [1], [1, 1], [0, 1]):
        rows = batch.rows(np.array(places))
        most = max(envelopes[place].lower.size for place in places)
        assert rows.sizes.tolist() == [most] * len(places)
        for row, place in enumerate(places):
            assert [rows[row].level(l) for l in range(7)] == [envelopes[place].level(l) for l in range(7)]


def test_a_row_that_goes_on_for_ever_stays_within_64_bits():
    batch = Envelope.stack(
        [Envelope.of([0], [0], (None, None), 2**51), Envelope.of([0] * 6000, [0] * 6000, (None, None), 2**51)]
    )
    rows = batch.rows(np.arange(2))
    assert rows.lower.min() == -(2**61) and rows.upper.max() == 2**61
