"""Which records of each person take part.

At most ``contributions`` records of a person are kept, in at most ``max_groups`` groups, at most ``per_group`` in one
group. The choice depends only on the person's own records and on a secret salt. So it does not depend on other people,
and it is the same each time the data is read, on every engine. The n records of a person are sorted by group and
lattice index, several columns by their numbers, text by its bytes. If m of them may take part and n > m, record
i = 1, ..., n takes part if

    (i*m + offset) mod n < m

which is true for exactly m records, evenly spaced (`kept_evenly`). Each person has a different offset (`Offsets`), so
that each record has the same chance, m/n. Groups are chosen first, in the same way, among the groups of the person.
Next ``per_group`` records are chosen within each of these groups, and then ``contributions`` records among all that are
left. So each record of a group has the same chance. Records that tie are equal, so it does not matter which of them is
kept. Proof that one person then changes at most so many records: docs/proofs/people.md. This is the second version of
the choice; the first used digests of records.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from hashlib import sha256
from itertools import count
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Booleans, Floats, Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.sampling import Bits, SystemBits
from noisewise.kernel.secret import Secret
from noisewise.tables.columns.array_column import NUMBERS, nearest_float64, numbers_of
from noisewise.tables.time.ticks import since_1970
from noisewise.tables.totals import Total

VERSION = "choice/2"
"""Part of the digest that gives the coefficients. With another version the same salt would choose other records."""

PRIME, SECOND_PRIME = 2**31 - 1, 2**31 - 19
"""Two large primes below 2^31. Products of remainders fit into 63 bits on every engine."""

FAR = 10**18
"""Whole numbers from FAR on, and from -FAR down, have more than 18 digits. They are read as text."""

SHIFT = 2**60
"""Added to every person's number to make it positive: engines disagree on remainders of negative numbers."""

MOST_POSITIONS = 2**31
"""The records of a person from this position on do not take part, so that no product overflows."""

WHOLE = re.compile("0|-?[1-9][0-9]{0,17}")
"""Whole numbers of up to 18 digits."""

HUGE = 2**1024
"""Larger than every float64. All numbers of this size have the same name, which is empty."""


@dataclass(frozen=True, slots=True, repr=False)
class Choice:
    """The column of people, how many records and groups of a person may take part, and the secret salt."""

    unit: str
    contributions: int
    max_groups: int | None
    salt: str
    per_group: int | None = None
    """The most records of a person in one group. None if there is no such limit."""
    total: Total | None = None
    """How all rows of a person in a group become one record before records are chosen. None if each row is one."""

    def __repr__(self) -> str:
        return f"<Choice: at most {self.contributions} records per {self.unit}>"


def fresh_salt(bits: Bits | None = None) -> str:
    """32 random hexadecimal digits."""
    return "".join(f"{int(word):016x}" for word in (bits or SystemBits()).words(2))


class HashArithmetic(Protocol):
    """Operations of both arrays of int64 and expressions of engines. Their results are the same to the last bit."""

    def __add__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __mod__(self, other: Any, /) -> Any: ...
    def __lt__(self, other: Any, /) -> Any: ...
    def __le__(self, other: Any, /) -> Any: ...


def kept_evenly(position: HashArithmetic, size: HashArithmetic, offset: HashArithmetic, most: int) -> Any:
    """Which positions of 1, ..., ``size`` are kept. If ``size`` is larger than ``most``, ``most`` evenly spaced ones
    are."""
    most = min(most, MOST_POSITIONS - 1)
    turn = ((position % MOST_POSITIONS) * most + offset) % size
    return (size <= most) | ((turn < most) & (position < MOST_POSITIONS))


@dataclass(frozen=True, slots=True, repr=False)
class Offsets(Secret):
    """The offset of each person: a cubic polynomial of the person's number, modulo a prime.

    The coefficients are secret words that depend on the salt and the purpose. So offsets are practically uniform, and
    the offsets of any four people are practically independent, whatever their numbers are.
    """

    words: tuple[int, ...]

    @classmethod
    def of(cls, choice: Choice, purpose: str) -> "Offsets":
        digest = sha256(_utf8(f"{choice.salt}|{VERSION}|{purpose}")).digest()
        return cls(tuple(int.from_bytes(digest[i : i + 4], "big") % PRIME for i in range(0, 24, 4)))

    def folded(self, numbers: HashArithmetic) -> Any:
        """The arguments of the polynomial: the numbers of people, reduced to 31 bits."""
        positive = numbers + SHIFT
        return (positive % PRIME + positive % SECOND_PRIME * self.words[4]) % PRIME

    def in_group(self, folded: HashArithmetic, group: HashArithmetic) -> Any:
        """The arguments of the polynomial for a person in a group. The groups of a person have different offsets."""
        return (folded + group % MOST_POSITIONS * self.words[5]) % PRIME

    def of_folded(self, folded: HashArithmetic) -> Any:
        """The values of the polynomial."""
        value = folded * self.words[3] + self.words[2]
        value = value % PRIME * folded + self.words[1]
        return (value % PRIME * folded + self.words[0]) % PRIME


def number_of_name(name: str) -> int:
    """The number of the person with this name. If the name is a whole number of up to 18 digits, as Python writes it,
    it is that number. Otherwise it is the first 60 bits of the SHA-256 digest of the name."""
    if WHOLE.fullmatch(name):
        return int(name)
    return int(sha256(_utf8(name)).hexdigest()[:15], 16)


@dataclass(frozen=True, slots=True, repr=False)
class NamedPeople(Secret):
    """The owner of each row. ``codes`` has a code for each row, or -1 if the row names nobody. ``names`` returns the
    name of a code, as text."""

    codes: Integers
    names: Callable[[int], str]
    whole: NDArray[Any] | None = None
    """If whole numbers name people, the whole number that names the person of each code."""

    @classmethod
    def of(cls, ids: NDArray[Any] | Sequence[object], missing: Booleans | None = None) -> "NamedPeople":
        """Find people in a column of ids: numbers, text, or objects that can be written as text. Missing ids name
        nobody."""
        if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu":
            different, codes = _coded(ids)
            if missing is not None:
                codes[missing] = -1
            return cls(codes, lambda code: str(different[code]), different)
        code_of: dict[object, int] = {}
        if set(map(type, ids)) <= {str, type(None)}:
            code_of = defaultdict(count().__next__, {None: -1})
            codes = np.fromiter(map(code_of.__getitem__, ids), np.int64, len(ids))
            return cls(codes, [str(person) for person in code_of][1:].__getitem__)
        codes = np.fromiter((_code(person, code_of) for person in ids), np.int64, len(ids))
        return cls(codes, [_text(person) for person in code_of].__getitem__)

    def keep(
        self, rows: Booleans, groups: Integers, records: tuple[Integers, ...], choice: Choice
    ) -> Booleans:
        """Which of the marked rows take part. Rows that name nobody take no part.

        A person's records are sorted by the first of the arrays ``records``, then by the others in order.
        """
        kept: Booleans = rows & (self.codes >= 0)
        if choice.max_groups is not None:
            owners, owned = self.codes[kept], groups[kept]
            first, pair = _different(owners, owned)
            chosen = self.evenly(
                owners[first], (owned[first],), choice.max_groups, Offsets.of(choice, "group")
            )
            kept[kept] = chosen[pair]
        if choice.per_group is not None:
            owners, owned, own = self.codes[kept], groups[kept], tuple(field[kept] for field in records)
            offsets = Offsets.of(choice, "per group")
            kept[kept] = self.evenly_in_groups(owners, owned, own, choice.per_group, offsets)
        fields = tuple(field[kept] for field in (groups, *records))
        offsets = Offsets.of(choice, "record")
        kept[kept] = self.evenly(self.codes[kept], fields, choice.contributions, offsets)
        return kept

    def totals(
        self, rows: Booleans, groups: Integers, numbers: Floats, lattice: Lattice, choice: Choice
    ) -> tuple[Integers, Integers]:
        """The totals of the marked rows: one for each person and group. Return the group and the lattice index of those
        that take part. Rows that name nobody take no part."""
        assert choice.total is not None
        owners, groups = self.codes[rows], groups[rows]
        first, pair = _different(owners, groups)
        indices = choice.total.of_rows(numbers[rows], pair, first.size, lattice)
        groups, people = groups[first], replace(self, codes=owners[first])
        kept = people.keep(np.ones(first.size, np.bool_), groups, (indices,), choice)
        return groups[kept], indices[kept]

    def evenly(self, owners: Integers, fields: tuple[Integers, ...], most: int, offsets: Offsets) -> Booleans:
        """Which things are kept: at most ``most`` of each owner, evenly spaced after they are sorted by their
        fields."""

        def offset(people: Integers) -> Integers:
            own: Integers = offsets.of_folded(offsets.folded(self._numbers(people)))
            return own

        return _evenly(owners, fields, most, offset)

    def evenly_in_groups(
        self,
        owners: Integers,
        groups: Integers,
        fields: tuple[Integers, ...],
        most: int,
        offsets: Offsets,
    ) -> Booleans:
        """Which things are kept: at most ``most`` of each owner in each group, evenly spaced after they are sorted by
        their fields."""
        first, pair = _different(owners, groups)

        def offset(pairs: Integers) -> Integers:
            people, which = np.unique(owners[first[pairs]], return_inverse=True)
            folded = offsets.folded(self._numbers(people)[which])
            own: Integers = offsets.of_folded(offsets.in_group(folded, groups[first[pairs]]))
            return own

        return _evenly(pair, fields, most, offset)

    def _numbers(self, people: Integers) -> Integers:
        """The numbers of the people with these codes, as `number_of_name` returns them."""
        numbers, far = np.zeros(people.size, np.int64), np.ones(people.size, np.bool_)
        if self.whole is not None:
            whole = self.whole[people]
            far = (whole >= FAR) | (whole <= -FAR if whole.dtype.kind == "i" else False)
            numbers = np.where(far, 0, whole).astype(np.int64)
        names = (self.names(person) for person in people[far].tolist())
        numbers[far] = np.fromiter(map(number_of_name, names), np.int64, int(far.sum()))
        return numbers


def _evenly(
    owners: Integers, fields: tuple[Integers, ...], most: int, offset_of: Callable[[Integers], Integers]
) -> Booleans:
    """Which things are kept: at most ``most`` of each owner. ``offset_of`` returns the offsets of some owners."""
    kept, sizes = np.ones(owners.size, np.bool_), np.bincount(owners)
    crowded = sizes > most
    people, crowd = np.flatnonzero(crowded), np.flatnonzero(crowded[owners])
    if crowd.size == 0:
        return kept
    own, fields = (np.cumsum(crowded) - 1)[owners[crowd]], tuple(field[crowd] for field in fields)
    order, sizes = _sorted(own, fields), sizes[people]
    ends = np.cumsum(sizes)
    position = np.arange(1, order.size + 1) - np.repeat(ends - sizes, sizes)
    offset = np.repeat(offset_of(people), sizes)
    kept[crowd[order]] = kept_evenly(position, np.repeat(sizes, sizes), offset, most)
    return kept


def _coded(ids: NDArray[Any]) -> tuple[NDArray[Any], Integers]:
    """The different whole numbers, sorted, and the index of each number among them.

    If their range is small, a table of the whole range finds them, which is faster than sorting.
    """
    if ids.size == 0 or int(ids.max()) - int(ids.min()) >= 4 * ids.size:
        different, codes = np.unique(ids, return_inverse=True)
        return different, codes
    wide = ids if ids.dtype == np.uint64 else ids.astype(np.int64)  # narrow types may not hold distances
    places = (wide - wide.min()).astype(np.int64)
    present = np.bincount(places) > 0
    different = (np.flatnonzero(present).astype(wide.dtype) + wide.min()).astype(ids.dtype)
    return different, (np.cumsum(present) - 1)[places]


def _different(owners: Integers, groups: Integers) -> tuple[Integers, Integers]:
    """Number the different pairs. Return the first place of each different pair, and the number of the pair at each
    place."""
    pairs = owners * (groups.max(initial=0) + 1) + groups  # both count things in memory
    _, first, which = np.unique(pairs, return_index=True, return_inverse=True)
    return first, which


def _sorted(own: Integers, fields: tuple[Integers, ...]) -> Integers:
    """The order of things by owner, and then by each field in turn. Equal things are in any order.

    Owner and fields are packed into one word, because that sorts fastest. If 64 bits are too few, ranks replace fields.
    """
    packed, width = np.zeros(own.size, np.uint64), 0
    for field in (own, *fields):
        low, bits = field.min(), _bits(field)
        part = field.astype(np.uint64) - low.astype(np.uint64)  # right even if both numbers wrap
        if width + bits > 64:
            part, bits = _ranks(part)
        if width + bits > 64:
            packed, width = _ranks(packed)
        packed = packed << np.uint64(bits) | part if width else part
        width += bits
    return np.argsort(packed)


def _bits(field: Integers) -> int:
    return (int(field.max()) - int(field.min())).bit_length()


def _ranks(words: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], int]:
    """The rank of each word among the different words, and the number of bits that ranks need."""
    different, ranks = np.unique(words, return_inverse=True)
    return ranks.astype(np.uint64), int(different.size).bit_length()


def order_of_numbers(numbers: NDArray[np.float64]) -> Integers:
    """Whole numbers that sort like the given float64. -0.0 and 0.0 are equal. A NaN, which takes no part, is
    anywhere."""
    bits = np.ascontiguousarray(numbers).view(np.int64)
    bits = np.where(bits << 1 == 0, 0, bits)  # adding 0.0 would warn at a signalling NaN
    return bits ^ (bits >> 63 & np.int64(2**63 - 1))


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _code(person: object, code_of: dict[object, int]) -> int:
    """The code of a person, or -1 if the id is missing or cannot be compared. This never fails."""
    try:
        if person is None or person != person:
            return -1
        if isinstance(person, datetime) and person.utcoffset() is not None:
            person = person.astimezone(UTC)  # the same moment is the same person in every time zone
        return code_of.setdefault(person, len(code_of))
    except Exception:
        return -1


def _text(person: object) -> str:
    """The name of a person, as every engine writes it. Whole numbers have no point, and dates are written as ticks.

    Equal ids have the same name. Numbers of different types are equal if their values are equal.
    """
    try:
        if isinstance(person, str):
            return str.__str__(person)
        if isinstance(person, date):
            return str(since_1970(person))
        if isinstance(person, NUMBERS):
            if not -HUGE < person < HUGE:  # infinite too
                return ""
            return str(int(person)) if person == int(person) else repr(float(person))
        return str(person)
    except Exception:
        return ""


def label_order(
    records: NDArray[Any] | Sequence[object],
) -> tuple[Booleans, tuple[Integers, ...]]:
    """Which labels are not missing, and the fields to sort them by. Numbers come first, then text by its bytes."""
    if isinstance(records, np.ndarray):
        numbers = nearest_float64(records)
        return ~np.isnan(numbers), (order_of_numbers(numbers),)
    numbers = numbers_of(records)
    texts = [str.__str__(record) if issubclass(type(record), str) else None for record in records]
    different = sorted(
        {text for text in texts if text is not None}
    )  # the order of code points is that of bytes
    rank_of: dict[str | None, int] = {text: rank for rank, text in enumerate(different, 1)}
    ranks = np.fromiter((rank_of.get(text, 0) for text in texts), np.int64, numbers.size)
    return (ranks > 0) | ~np.isnan(numbers), (ranks, np.where(ranks > 0, 0, order_of_numbers(numbers)))
