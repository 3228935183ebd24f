"""The choice of a person's records: who is who, the documented order, and what one person can change at most."""

import re
from collections import Counter
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from itertools import combinations_with_replacement, permutations, product
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewise.dataset.batches import SpreadOverGroups
from noisewise.hazmat import SeededBits
from noisewise.tables import people
from noisewise.tables.people import (
    Choice,
    NamedPeople,
    fresh_salt,
    kept_evenly,
    label_order,
    number_of_name,
    order_of_numbers,
)

SALTS = ["", "0" * 32, "pepper"]

FROZEN = {
    7: [1, 8, 15],
    "7": [1, 8, 15],
    -12: [2, 8, 15],
    "ann": [4, 11, 18],
    "007": [6, 13, 19],
    10**18: [0, 6, 13],
    10**18 - 1: [1, 8, 14],
    "zoë|1": [1, 8, 15],
}
"""Of twenty records of a person, the three that are chosen by one salt."""

FROZEN_IN_GROUPS = {
    7: [(0, 4), (1, 1), (1, 4), (2, 1), (2, 4)],
    -12: [(0, 1), (1, 2), (1, 5), (2, 2), (2, 5)],
    "ann": [(0, 0), (0, 3), (1, 1), (1, 4), (2, 0)],
    "zoë|1": [(0, 5), (1, 1), (1, 4), (2, 0), (2, 3)],
    10**18 - 1: [(0, 0), (1, 1), (1, 4), (2, 0), (2, 3)],
}
"""Of six records in each of three groups of a person, those that are chosen by one salt: two in each group, five in
all."""


def kept(rows, choice, present=None):
    """The rows (person, group, number) that take part."""
    owners = NamedPeople.of([row[0] for row in rows])
    groups, numbers = (np.array([row[place] for row in rows], np.int64) for place in (1, 2))
    there = np.ones(len(rows), np.bool_) if present is None else np.array(present, np.bool_)
    mask = owners.keep(there, groups, (numbers,), choice)
    return [row for row, stays in zip(rows, mask, strict=True) if stays]


def number(person):
    """The number of a person, as documented, for those in these tests."""
    if isinstance(person, int) or person in map(str, range(10)):
        return int(person)
    return int(sha256(person.encode("utf-8", "surrogatepass")).hexdigest()[:15], 16)


def offset(person, choice, purpose, group=0):
    """The documented polynomial, in Python's integers, which never overflow."""
    prime, digest = 2**31 - 1, sha256(f"{choice.salt}|choice/2|{purpose}".encode()).digest()
    a, b, c, d, fold, step = (int.from_bytes(digest[4 * i : 4 * i + 4], "big") % prime for i in range(6))
    positive = number(person) + 2**60
    x = (positive % prime + fold * (positive % (2**31 - 19)) + group * step) % prime
    return (a + b * x + c * x**2 + d * x**3) % prime


def evenly(ordered, most, begin):
    n = len(ordered)
    return [thing for i, thing in enumerate(ordered, 1) if n <= most or (i * most + begin) % n < most]


def by_hand(rows, choice):
    """The documented choice, person by person and record by record."""
    stays = []
    for person in dict.fromkeys(row[0] for row in rows if row[0] is not None):
        own = sorted(row for row in rows if row[0] == person)
        if choice.max_groups is not None:
            begin = offset(person, choice, "group")
            groups = evenly(sorted({row[1] for row in own}), choice.max_groups, begin)
            own = [row for row in own if row[1] in groups]
        if choice.per_group is not None:
            each = [[row for row in own if row[1] == group] for group in sorted({row[1] for row in own})]
            begins = [offset(person, choice, "per group", rows[0][1]) for rows in each]
            parts = [evenly(rows, choice.per_group, begin) for rows, begin in zip(each, begins, strict=True)]
            own = [row for part in parts for row in part]
        stays += evenly(own, choice.contributions, offset(person, choice, "record"))
    return Counter(stays)


ROWS = st.lists(
    st.tuples(st.sampled_from(["ann", "bob", "zoë|1", "\ud800", None]), st.integers(0, 3), st.integers(-2, 2))
)


LIMIT = st.sampled_from([None, 1, 2, 3])


@given(ROWS, st.integers(1, 4), LIMIT, LIMIT, st.sampled_from(SALTS))
@settings(max_examples=500, deadline=None)
def test_the_choice_is_the_documented_one(rows, most, max_groups, per_group, salt):
    choice = Choice("id", most, max_groups, salt, per_group)
    assert Counter(kept(rows, choice)) == by_hand(rows, choice)


@given(ROWS, st.randoms(use_true_random=False), st.integers(1, 3), LIMIT, LIMIT)
@settings(max_examples=300, deadline=None)
def test_the_order_of_rows_does_not_matter(rows, random, most, max_groups, per_group):
    choice, shuffled = Choice("id", most, max_groups, "salt", per_group), rows.copy()
    random.shuffle(shuffled)
    assert Counter(kept(rows, choice)) == Counter(kept(shuffled, choice))


def test_the_choice_of_a_salt_stays_what_it_is():
    """Frozen: whoever knows a salt has the same records chosen by every later version, on every engine."""
    found = {
        person: [
            row[2] for row in kept([(person, 0, n) for n in range(20)], Choice("id", 3, None, "ab" * 16))
        ]
        for person in FROZEN
    }
    assert found == FROZEN
    assert NamedPeople.of(np.array([7, 10**18]))._numbers(np.array([0, 1])).tolist() == [
        7,
        337269300418260918,
    ]


def test_the_choice_within_groups_stays_what_it_is():
    """Frozen as well, for those who limit the records of a person in one group."""
    found = {}
    for person in FROZEN_IN_GROUPS:
        rows = [(person, group, n) for group in range(3) for n in range(6)]
        found[person] = [row[1:] for row in kept(rows, Choice("id", 5, None, "ab" * 16, 2))]
    assert found == FROZEN_IN_GROUPS


@pytest.mark.parametrize(("max_groups", "per_group"), [(None, None), (1, None), (2, None), (None, 1), (2, 1)])
def test_every_order_of_the_rows_of_every_small_table_gives_one_choice(max_groups, per_group):
    cells = [("a", 0, 0), ("a", 0, 1), ("a", 1, 0), ("a", 2, 1), ("b", 0, 0)]
    for rows, most in product(combinations_with_replacement(cells, 4), (1, 2)):
        choice = Choice("id", most, max_groups, "pepper", per_group)
        found = [Counter(kept(list(order), choice)) for order in set(permutations(rows))]
        assert all(each == found[0] == by_hand(rows, choice) for each in found)


@pytest.mark.parametrize("salt", SALTS)
@pytest.mark.parametrize(
    ("most", "max_groups", "per_group"), [*product([1, 2, 3], [None, 1, 2], [None, 1, 2])]
)
def test_no_person_changes_more_than_the_bound_in_any_small_table(most, max_groups, per_group, salt):
    """Every table of up to three rows of each of four kinds, of two people, and a row of nobody; one person's rows are
    then taken away."""
    choice = Choice("id", most, max_groups, salt, per_group)
    cells = [("a", 0, 0), ("a", 0, 1), ("a", 1, 0), ("b", 0, 0)]
    for counts in product(range(4), repeat=len(cells)):
        rows = [cell for cell, count in zip(cells, counts, strict=True) for _ in range(count)]
        rows += [(None, 0, 0)]
        whole, without = Counter(kept(rows, choice)), Counter(kept([r for r in rows if r[0] != "a"], choice))
        own = whole - without
        assert whole >= without, "nobody else's choice may change"
        assert {row[0] for row in own} <= {"a"} and None not in {row[0] for row in whole}
        assert own.total() <= most
        assert len({row[1] for row in own}) <= (max_groups or 2)
        own_in = [sum(count for row, count in own.items() if row[1] == group) for group in (0, 1)]
        assert max(own_in) <= (per_group or most)
        assert sum(n**2 for n in own_in) <= SpreadOverGroups(most, 2, per_group).squares


def test_as_many_records_take_part_as_may():
    rows = [("a", group, number) for group in range(3) for number in range(3)]
    assert len(kept(rows, Choice("id", 4, None, "s"))) == 4
    assert len(kept(rows, Choice("id", 9, None, "s"))) == 9
    in_two = kept(rows, Choice("id", 8, 2, "s"))
    assert len(in_two) == 6 and len({row[1] for row in in_two}) == 2
    for most, per_group, in_each in (
        (9, 2, [2, 2, 2]),
        (5, 2, [2, 2, 1]),
        (6, 9, [2, 2, 2]),
        (9, 3, [3, 3, 3]),
    ):
        limited = kept(rows, Choice("id", most, None, "s", per_group))
        counts = Counter(row[1] for row in limited)
        assert sorted(counts.values(), reverse=True) == in_each
    one_group = [("a", 4, number) for number in range(50)] + [("a", 5, 0)]
    assert Counter(row[1] for row in kept(one_group, Choice("id", 9, None, "s", 3))) == {4: 3, 5: 1}
    assert kept([], Choice("id", 9, 2, "s", 3)) == []


def test_so_many_are_kept_and_each_position_by_as_many_offsets():
    """The theorem, for every offset modulo the size: exactly most are kept, and no position is favoured."""
    for size, most in product(range(1, 14), range(1, 16)):
        position, offsets = np.arange(1, size + 1), np.arange(size)[:, None]
        stays = kept_evenly(position, np.full((size, size), size), offsets, most)
        assert set(stays.sum(axis=1).tolist()) == set(stays.sum(axis=0).tolist()) == {min(size, most)}


def test_far_positions_neither_overflow_nor_let_more_through():
    """Of a person with more rows than any table has."""
    last = np.iinfo(np.int64).max
    position = np.array([1, 2**31 - 1, 2**31, 2**31 + 1, 2**40, last])
    for most in (1, 2**31 - 1, 2**31, last):
        with np.errstate(over="raise"):
            stays = kept_evenly(position, np.full(6, last), np.full(6, 2**31 - 2), most)
        assert not stays[2:].any()
    assert kept_evenly(np.array([1]), np.array([1]), np.array([0]), 10**30).all()


def test_records_of_any_width_are_sorted_as_they_are():
    """Packed into a word where they fit, by their ranks where they do not."""
    rng = np.random.default_rng(0)
    wide = np.array([-(2**63), 2**63 - 1, 0, 1, -1, 2**62], np.int64)
    for pools in ((range(3),), (wide,), (wide, range(5)), (wide, wide), (wide, wide, wide)):
        own = rng.integers(0, 40, 300)
        fields = tuple(rng.choice(np.array(pool, np.int64), 300) for pool in pools)
        order = people._sorted(own, fields)
        rows = list(zip(own.tolist(), *(field.tolist() for field in fields), strict=True))
        assert [rows[place] for place in order] == sorted(rows)


def test_numbers_are_sorted_by_value():
    numbers = [-np.inf, -1e308, -1.5, -1.0, -5e-324, 0.0, 5e-324, 1.0, 1.5, 1e308, np.inf]
    assert np.all(np.diff(order_of_numbers(np.array(numbers)).astype(object)) > 0)
    assert len(set(order_of_numbers(np.array([0.0, -0.0])).tolist())) == 1
    signalling = np.array([0x7FF0000000000001], np.int64).view(np.float64)
    assert order_of_numbers(signalling).shape == (1,)  # and no warning, which would be an error here


def test_labels_are_sorted_numbers_first_and_text_by_its_bytes():
    records = ["é", 2.0, "𝔘", "\ud800", None, "z", -1, "", float("nan"), "Z", "é", 2]
    present, fields = label_order(records)
    assert present.tolist() == [record is not None and record == record for record in records]
    there = [place for place in range(len(records)) if present[place]]
    order = sorted(there, key=lambda place: [field[place] for field in fields])
    found = [records[place] for place in order]
    assert found == [-1, 2.0, 2, "", "Z", "z", "é", "é", "\ud800", "𝔘"]
    texts = [text.encode("utf-8", "surrogatepass") for text in found[3:]]
    assert texts == sorted(texts)


def chi_square(found, expected):
    return sum((count - expected) ** 2 / expected for count in found)


PEOPLE_TRIED = 20_000


def chances(ids, size, most):
    """How often each of the records of people with ``size`` of them is kept."""
    owners = np.repeat(np.arange(PEOPLE_TRIED), size)
    who = NamedPeople(owners, str, ids)
    there, zero = np.ones(owners.size, np.bool_), np.zeros(owners.size, np.int64)
    numbers = np.tile(np.arange(size), PEOPLE_TRIED)
    stays = who.keep(there, zero, (numbers,), Choice("id", most, None, "a fixed salt"))
    return stays.reshape(-1, size)


@pytest.mark.parametrize("ids", ["in a row", "in steps", "far apart", "at random"])
def test_no_record_is_favoured_whatever_the_ids_are(ids):
    """A fixed salt, so nothing is left to chance. Each record's chance is m/n; a choice that is 10% off is rejected."""
    rng, each = np.random.default_rng(3), np.arange(PEOPLE_TRIED)
    numbers = {
        "in a row": each,
        "in steps": each * 5040,
        "far apart": each * (2**31 - 1),
        "at random": rng.integers(0, 2**59, PEOPLE_TRIED),
    }[ids]
    for size, most in ((2, 1), (5, 2), (7, 3), (12, 4)):
        stays = chances(numbers, size, most)
        assert (stays.sum(axis=1) == most).all()
        expected, limit = PEOPLE_TRIED * most / size, size + 8 * np.sqrt(2 * size)
        assert chi_square(stays.sum(axis=0), expected) < limit
        off = stays.sum(axis=0).astype(float)
        off[0] *= 1.1
        off[1:] *= (PEOPLE_TRIED * most - off[0]) / off[1:].sum()
        assert chi_square(off, expected) > limit
        starts, following = stays.argmax(axis=1)[:-1], stays.argmax(axis=1)[1:]  # of neighbours by their ids
        places = int(stays.argmax(axis=1).max()) + 1
        pairs = np.bincount(starts * places + following, minlength=places**2)
        rows, columns = np.bincount(starts, minlength=places), np.bincount(following, minlength=places)
        expected_pairs = np.outer(rows, columns).ravel() / starts.size
        independence = ((pairs - expected_pairs) ** 2 / expected_pairs).sum()
        assert independence < places**2 + 8 * np.sqrt(2) * places


def chances_in_groups(sizes, most, per_group):
    """How often each record of people with so many of them in each group is kept, as one array for each group."""
    rows = sum(sizes)
    owners = np.repeat(np.arange(PEOPLE_TRIED), rows)
    groups = np.tile(np.repeat(np.arange(len(sizes)), sizes), PEOPLE_TRIED)
    numbers = np.tile(np.concatenate([np.arange(size) for size in sizes]), PEOPLE_TRIED)
    who, there = NamedPeople(owners, str, np.arange(PEOPLE_TRIED)), np.ones(owners.size, np.bool_)
    stays = who.keep(there, groups, (numbers,), Choice("id", most, None, "a fixed salt", per_group))
    return np.split(stays.reshape(-1, rows), np.cumsum(sizes)[:-1], axis=1)


@pytest.mark.parametrize(
    ("sizes", "most", "per_group"), [((5, 5, 5), 6, 2), ((7, 2, 4), 3, 1), ((6, 6, 1), 4, 3), ((9, 4), 20, 2)]
)
def test_no_record_of_a_group_is_favoured(sizes, most, per_group):
    """Records of one group have one chance, the product of both choices. The choice in one group says nothing of that
    in another."""
    parts = chances_in_groups(sizes, most, per_group)
    left = sum(min(size, per_group) for size in sizes)
    for part, size in zip(parts, sizes, strict=True):
        expected = PEOPLE_TRIED * min(per_group, size) / size * min(most, left) / left
        limit = size + 8 * np.sqrt(2 * size)
        assert chi_square(part.sum(axis=0), expected) < limit
        off = part.sum(axis=0) * np.append(1.1, np.ones(size - 1))
        assert chi_square(off, expected) > limit
        assert part.sum(axis=1).max() <= per_group
    assert max(sum(part.sum(axis=1) for part in parts)) == min(most, left)


def test_the_groups_of_a_person_begin_at_different_places():
    """Otherwise a person with the same number of records in all groups would keep the lowest in each, or the highest
    in each."""
    first, second, third = (part.argmax(axis=1) for part in chances_in_groups((6, 6, 6), 3, 1))
    for one, other in ((first, second), (second, third), (first, third)):
        pairs = np.bincount(one * 6 + other, minlength=36)
        assert chi_square(pairs, PEOPLE_TRIED / 36) < 36 + 8 * np.sqrt(72)
    assert chi_square(np.bincount(first * 6 + first, minlength=36), PEOPLE_TRIED / 36) > 10_000


def test_kept_means_are_right_and_vary_no_more_than_those_of_a_random_choice():
    """Of values that rise evenly, of two values, and of one far away: the chance of each record is the same."""
    rng = np.random.default_rng(4)
    for values, most in (
        (np.arange(12.0), 4),
        (np.array([0.0] * 9 + [1.0] * 3), 4),
        (np.array([0.0] * 11 + [100.0]), 3),
    ):
        means = (chances(np.arange(PEOPLE_TRIED), 12, most) * values).sum(axis=1) / most
        random = np.array([rng.permutation(values)[:most].mean() for _ in range(2_000)])
        assert abs(means.mean() - values.mean()) < 6 * random.std() / np.sqrt(PEOPLE_TRIED)
        assert means.std() < 1.1 * random.std()


def test_missing_records_are_set_aside_before_the_choice():
    rows, present = [("a", 0, number) for number in range(6)], [True] * 3 + [False] * 3
    assert {row[2] for row in kept(rows, Choice("id", 3, None, "s"), present)} == {0, 1, 2}


def test_only_names_of_crowds_are_hashed(monkeypatch):
    hashed = []
    monkeypatch.setattr(people, "number_of_name", lambda name: hashed.append(name) or number_of_name(name))
    kept([("a", 0, 1), ("b", 0, 1), ("b", 0, 2), ("b", 0, 3)], Choice("id", 2, None, "s"))
    assert hashed == ["b"]
    hashed.clear()
    kept(
        [(person, group, n) for person in "ab" for group in range(4) for n in (0, 1)][:-7],
        Choice("id", 9, None, "s", 1),
    )
    assert hashed == ["a"]


def test_a_whole_number_is_one_person_as_text_too():
    for ids in (np.array([7, -3, 0]), ["7", "-3", "0"], [7.0, -3, Decimal(0)]):
        assert NamedPeople.of(ids)._numbers(NamedPeople.of(ids).codes).tolist() == [7, -3, 0]
    others = ["07", "-0", "+7", "7\n", "7.0", "", "٧", "1" * 19, "-" + "1" * 19]
    assert not {number_of_name(text) for text in others} & {7, 0, int("1" * 18)}
    assert number_of_name("-" + "1" * 18) == -int("1" * 18)


def names(ids):
    """Who each row belongs to, by name; None where it is nobody's."""
    owners = NamedPeople.of(ids)
    return [None if code < 0 else owners.names(int(code)) for code in owners.codes]


class Hostile:
    def __eq__(self, other):
        raise ValueError("secret")

    def __hash__(self):
        raise ValueError("secret")


class Mute:
    def __str__(self):
        raise ValueError("secret")


class Word(str):
    def __str__(self):
        return "another"


class Day(date):
    pass


def test_ids_of_any_type_have_a_name():
    assert names(["ann", "zoë", "\ud800", ""]) == ["ann", "zoë", "\ud800", ""]
    assert names([7, 7.0, Decimal("7.00"), Fraction(7), np.int8(7)]) == ["7"] * 5
    assert names([True, False, 1, 0]) == ["1", "0", "1", "0"]
    assert names([10**30, float(10**20)]) == [str(10**30), str(10**20)]
    assert names([0.5, Decimal("0.5"), Fraction(1, 2)]) == ["0.5"] * 3
    assert names([b"ann", Word("ann"), "ann"]) == ["b'ann'", "ann", "ann"]
    assert names(np.array([2**63, 3], np.uint64)) == [str(2**63), "3"]


def test_dates_have_the_names_that_columns_of_dates_give_them():
    """In days, or microseconds, since 1970; one moment is one person, in whatever zone it is told."""
    assert names([date(2020, 1, 2), Day(1969, 12, 31), Day(1970, 1, 1)]) == ["18263", "-1", "0"]
    moments = [datetime(1970, 1, 2), pd.Timestamp(1970, 1, 2), pd.Timestamp(2_000), datetime(1969, 12, 31)]
    assert names(moments) == ["86400000000", "86400000000", "2", "-86400000000"]
    autumn = datetime(2021, 10, 31, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))  # twice, an hour apart
    hours = [autumn, autumn.replace(fold=1)]
    for told in (hours, [hour.astimezone(UTC) for hour in hours], [pd.Timestamp(hour) for hour in hours]):
        assert names(told) == ["1635640200000000", "1635643800000000"]
    people = NamedPeople.of([*hours, *(hour.astimezone(UTC) for hour in hours)])
    assert people.codes.tolist() == [0, 1, 0, 1]
    assert (
        len(set(NamedPeople.of([date(1970, 1, 1), datetime(1970, 1, 1), hours[0], 0, "0"]).codes.tolist()))
        == 5
    )


def test_missing_or_hopeless_ids_name_nobody():
    nobody = [
        None,
        float("nan"),
        Decimal("nan"),
        Decimal("snan"),
        pd.NA,
        pd.NaT,
        np.datetime64("NaT"),
        [],
        Hostile(),
    ]
    assert names(nobody) == [None] * len(nobody)


def test_ids_without_a_text_of_their_own_are_still_different_people():
    owners = NamedPeople.of([Mute(), Mute(), 10**5000, 10**5001, float("inf"), Decimal("1e999999999")])
    assert len(set(owners.codes.tolist())) == 6
    assert {owners.names(code) for code in range(6)} == {""}


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64])
def test_whole_numbers_are_one_person_each_whether_they_are_close_or_far(dtype):
    ends = np.iinfo(dtype)
    for ids in (
        [ends.max, ends.min, 7, 7],
        [*range(100), 3, 3],
        [ends.max, ends.max - 1] * 3,
        [ends.min] * 9,
        [*range(max(ends.min, -128), 128)] * 2,
        [],
    ):
        who = NamedPeople.of(np.array(ids, dtype))
        assert [int(who.names(code)) for code in who.codes] == ids
        assert who._numbers(who.codes).tolist() == [number_of_name(str(each)) for each in ids]


def test_whole_numbers_are_never_compared_as_floats():
    large = np.array([2**53, 2**53 + 1, 5], np.int64)
    owners = NamedPeople.of(large, np.array([False, False, True]))
    assert owners.codes[0] != owners.codes[1] and owners.codes[2] == -1


def test_a_fresh_salt_is_secret_and_new():
    assert re.fullmatch("[0-9a-f]{32}", fresh_salt())
    assert fresh_salt() != fresh_salt()
    assert fresh_salt(SeededBits(1)) == fresh_salt(SeededBits(1))


def test_nothing_prints_a_salt_or_a_person():
    choice = Choice("id", 2, None, "pepper")
    assert repr(choice) == "<Choice: at most 2 records per id>"
    assert repr(NamedPeople.of(["ann"])) == "<NamedPeople: withheld>"
