"""The choice of a person's records: who is who, the documented order, and what one person can change at most."""

import re
from collections import Counter
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from itertools import product
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewise.hazmat import SeededBits
from noisewise.tables import people
from noisewise.tables.people import Choice, People, fresh_salt

SALTS = ["", "0" * 32, "pepper"]


def kept(rows, choice, present=None):
    """The rows (person, group, number) that take part."""
    owners = People.of([row[0] for row in rows])
    groups, numbers = (np.array([row[place] for row in rows], np.int64) for place in (1, 2))
    there = np.ones(len(rows), np.bool_) if present is None else np.array(present, np.bool_)
    mask = owners.keep(there, groups, (numbers,), choice)
    return [row for row, stays in zip(rows, mask, strict=True) if stays]


def digest(*parts):
    return sha256("|".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()


def by_hand(rows, choice):
    """The documented order, person by person and record by record."""
    stays = []
    for person in dict.fromkeys(row[0] for row in rows if row[0] is not None):
        own, copies = [row for row in rows if row[0] == person], Counter()
        groups = sorted({row[1] for row in own}, key=lambda g: (digest(choice.salt, "group", person, g), g))
        own = [row for row in own if row[1] in groups[: choice.max_groups]]
        ranked = []
        for row in own:
            copies[row] += 1
            ranked.append((digest(choice.salt, "record", *row, copies[row]), row))
        stays += [row for _, row in sorted(ranked)[: choice.contributions]]
    return Counter(stays)


ROWS = st.lists(
    st.tuples(st.sampled_from(["ann", "bob", "zoë|1", "\ud800", None]), st.integers(0, 3), st.integers(-2, 2))
)


@given(ROWS, st.integers(1, 4), st.sampled_from([None, 1, 2, 3]), st.sampled_from(SALTS))
@settings(max_examples=300, deadline=None)
def test_the_choice_is_the_documented_one(rows, most, max_groups, salt):
    choice = Choice("id", most, max_groups, salt)
    assert Counter(kept(rows, choice)) == by_hand(rows, choice)


@given(ROWS, st.randoms(use_true_random=False), st.integers(1, 3), st.sampled_from([None, 1, 2]))
@settings(max_examples=200, deadline=None)
def test_the_order_of_rows_does_not_matter(rows, random, most, max_groups):
    choice, shuffled = Choice("id", most, max_groups, "salt"), rows.copy()
    random.shuffle(shuffled)
    assert Counter(kept(rows, choice)) == Counter(kept(shuffled, choice))


def test_one_digest_is_spelled_out():
    """The bytes are a promise to every engine."""
    rows = [("7", 0, number) for number in range(20)]
    texts = {number: f"{'ab' * 16}|record|7|0|{number}|1" for number in range(20)}
    first = sorted(texts, key=lambda number: sha256(texts[number].encode()).hexdigest())[:3]
    assert sorted(row[2] for row in kept(rows, Choice("id", 3, None, "ab" * 16))) == sorted(first)


@pytest.mark.parametrize("salt", SALTS)
@pytest.mark.parametrize(("most", "max_groups"), [*product([1, 2, 3], [None, 1, 2])])
def test_no_person_changes_more_than_the_bound_in_any_small_table(most, max_groups, salt):
    """Every table of up to five rows of two people and of nobody; one person's rows are then taken away."""
    choice, cells = Choice("id", most, max_groups, salt), [("a", 0, 0), ("a", 0, 1), ("a", 1, 0), ("b", 0, 0)]
    for counts in product(range(4), repeat=len(cells)):
        rows = [cell for cell, count in zip(cells, counts, strict=True) for _ in range(count)]
        rows += [(None, 0, 0)]
        whole, without = Counter(kept(rows, choice)), Counter(kept([r for r in rows if r[0] != "a"], choice))
        own = whole - without
        assert whole >= without, "nobody else's choice may change"
        assert {row[0] for row in own} <= {"a"} and None not in {row[0] for row in whole}
        assert own.total() <= most
        assert len({row[1] for row in own}) <= (max_groups or 2)


def test_as_many_records_take_part_as_may():
    rows = [("a", group, number) for group in range(3) for number in range(3)]
    assert len(kept(rows, Choice("id", 4, None, "s"))) == 4
    assert len(kept(rows, Choice("id", 9, None, "s"))) == 9
    in_two = kept(rows, Choice("id", 8, 2, "s"))
    assert len(in_two) == 6 and len({row[1] for row in in_two}) == 2


@pytest.mark.parametrize("max_groups", [None, 1, 2])
def test_digests_that_tie_let_nobody_through(monkeypatch, max_groups):
    class Same:
        def __init__(self, text):
            pass

        def digest(self):
            return bytes(32)

    monkeypatch.setattr(people, "sha256", Same)
    rows = [(person, group, number) for person in "abc" for group in range(3) for number in range(4)]
    for choice in (Choice("id", 2, max_groups, "s"), Choice("id", 5, max_groups, "s")):
        found = kept(rows, choice)
        assert Counter(row[0] for row in found) == dict.fromkeys(
            "abc", min(choice.contributions, 12 if max_groups is None else 4 * max_groups)
        )
        assert Counter(found) == Counter(kept(rows[::-1], choice))


def test_digests_that_share_their_first_word_are_distinguished_by_the_rest(monkeypatch):
    """The fast order packs the first bits alone; the full digest must decide where those tie."""

    class Late:
        def __init__(self, text):
            self.text = text

        def digest(self):
            return bytes(24) + sha256(self.text).digest()[:8]

    monkeypatch.setattr(people, "sha256", Late)
    rows = [("a", 0, number) for number in range(30)]
    last = sorted(range(30), key=lambda n: sha256(f"s|record|a|0|{n}|1".encode()).digest()[:8])
    assert {row[2] for row in kept(rows, Choice("id", 4, None, "s"))} == set(last[:4])


def test_missing_records_are_set_aside_before_the_choice():
    rows, present = [("a", 0, number) for number in range(6)], [True, False] * 3
    assert {row[2] for row in kept(rows, Choice("id", 3, None, "s"), present)} == {0, 2, 4}


def test_many_digests_are_worked_out_in_blocks(monkeypatch):
    rows, choice = [("a", 0, number) for number in range(50)], Choice("id", 7, None, "s")
    whole = kept(rows, choice)
    monkeypatch.setattr(people, "BLOCK", 8)
    assert kept(rows, choice) == whole


def test_only_crowds_are_hashed(monkeypatch):
    hashed = []
    monkeypatch.setattr(people, "sha256", lambda text: hashed.append(text) or sha256(text))
    kept([("a", 0, 1), ("b", 0, 1), ("b", 0, 2), ("b", 0, 3)], Choice("id", 2, None, "s"))
    assert hashed and all(text.startswith(b"s|record|b|") for text in hashed)


def names(ids):
    """Who each row belongs to, by name; None where it is nobody's."""
    owners = People.of(ids)
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
    people = People.of([*hours, *(hour.astimezone(UTC) for hour in hours)])
    assert people.codes.tolist() == [0, 1, 0, 1]
    assert len(set(People.of([date(1970, 1, 1), datetime(1970, 1, 1), hours[0], 0, "0"]).codes.tolist())) == 5


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
    owners = People.of([Mute(), Mute(), 10**5000, 10**5001, float("inf"), Decimal("1e999999999")])
    assert len(set(owners.codes.tolist())) == 6
    assert {owners.names(code) for code in range(6)} == {""}


def test_whole_numbers_are_never_compared_as_floats():
    large = np.array([2**53, 2**53 + 1, 5], np.int64)
    owners = People.of(large, np.array([False, False, True]))
    assert owners.codes[0] != owners.codes[1] and owners.codes[2] == -1


def test_a_fresh_salt_is_secret_and_new():
    assert re.fullmatch("[0-9a-f]{32}", fresh_salt())
    assert fresh_salt() != fresh_salt()
    assert fresh_salt(SeededBits(1)) == fresh_salt(SeededBits(1))


def test_nothing_prints_a_salt_or_a_person():
    choice = Choice("id", 2, None, "pepper")
    assert repr(choice) == "<Choice: at most 2 records per id>"
    assert repr(People.of(["ann"])) == "<People: withheld>"
