"""People, not rows: which of a person's records take part.

At most ``contributions`` records of a person are kept, in at most ``max_groups`` groups. The choice is a function of
that person's own records and of a secret salt, so nobody's choice depends on anybody else, and it is the same each time
the data is read. Order decides it: that of SHA-256 digests over text which reads alike on every engine,

    group    sha256("<salt>|group|<person>|<group>")
    record   sha256("<salt>|record|<person>|<group>|<number>|...|<copy>")

where a number is a lattice index (of several columns, the bits of each float64), a group the index of its key among
those declared (0 without groups), and equal records of a person are told apart as copies 1, 2, ... . The first in that
order are kept, counted one by one: digests that tie let nobody through. Proof that one person then changes at most so
many records: docs/proofs/people.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.columns.arrays import NUMBERS, nearest_float64, numbers_of
from noisewise.numbers.arrays import Booleans, Integers
from noisewise.sampling import Bits, SystemBits
from noisewise.secret import Secret
from noisewise.tables.time.ticks import since_1970

BLOCK = 2**18
"""So many digests are worked out at a time, to bound what lies around as Python objects."""

HUGE = 2**1024
"""A number beyond every float64 has no name of its own, whatever its type."""


@dataclass(frozen=True, slots=True, repr=False)
class Choice:
    """Whose records, how many of them, in how many groups, and the salt of the choice. The salt is secret."""

    unit: str
    contributions: int
    max_groups: int | None
    salt: str

    def __repr__(self) -> str:
        return f"<Choice: at most {self.contributions} records per {self.unit}>"


def fresh_salt(bits: Bits | None = None) -> str:
    """32 hexadecimal digits that nobody knows."""
    return "".join(f"{int(word):016x}" for word in (bits or SystemBits()).words(2))


@dataclass(frozen=True, slots=True, repr=False)
class People(Secret):
    """Who owns each row: a code per row, -1 where a row names nobody, and the name behind each code, as text."""

    codes: Integers
    names: Callable[[int], str]

    @classmethod
    def of(cls, ids: NDArray[Any] | Sequence[object], missing: Booleans | None = None) -> "People":
        """People by what a column holds: numbers, text, or anything that reads as text. Missing ids name nobody."""
        if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu":
            different, codes = np.unique(ids, return_inverse=True)
            if missing is not None:
                codes[missing] = -1
            return cls(codes, lambda code: str(different[code]))
        code_of: dict[object, int] = {}
        codes = np.fromiter((_code(person, code_of) for person in ids), np.int64, len(ids))
        return cls(codes, [_text(person) for person in code_of].__getitem__)

    def keep(
        self, rows: Booleans, groups: Integers, records: tuple[Integers, ...], choice: Choice
    ) -> Booleans:
        """Which of the marked rows take part; rows that name nobody do not."""
        kept: Booleans = rows & (self.codes >= 0)
        if choice.max_groups is not None:
            owners, owned = self.codes[kept], groups[kept]
            first, pair = _different(owners, (owned,))
            chosen = self._first(owners[first], (owned[first],), choice.max_groups, f"{choice.salt}|group")
            kept[kept] = chosen[pair]
        fields = tuple(field[kept] for field in (groups, *records))
        kept[kept] = self._first(
            self.codes[kept], fields, choice.contributions, f"{choice.salt}|record", copies=True
        )
        return kept

    def _first(
        self, owners: Integers, fields: tuple[Integers, ...], most: int, salted: str, *, copies: bool = False
    ) -> Booleans:
        """Which are among the first of their owner: all where there are no more than ``most``, else by digest."""
        kept, crowded = np.ones(owners.size, np.bool_), np.bincount(owners) > most
        people, crowd = np.flatnonzero(crowded), np.flatnonzero(crowded[owners])
        if crowd.size == 0:
            return kept
        own, fields = (np.cumsum(crowded) - 1)[owners[crowd]], tuple(field[crowd] for field in fields)
        if copies:
            fields = (*fields, _copies(own, fields))
        heads = [_utf8(f"{salted}|{self.names(person)}|") for person in people.tolist()]
        order = _by_digest(own, _digests(heads, own, fields), fields)
        sorted_own = own[order]
        rank = np.arange(order.size) - np.searchsorted(sorted_own, sorted_own)
        kept[crowd[order[rank >= most]]] = False
        return kept


def _digests(heads: list[bytes], own: Integers, fields: tuple[Integers, ...]) -> NDArray[np.uint64]:
    """The digest of each record as four words, which sort as its 64 hexadecimal digits do."""
    words, line = np.empty((own.size, 4), np.uint64), b"|".join([b"%d"] * len(fields))
    for start in range(0, own.size, BLOCK):
        block = slice(start, start + BLOCK)
        parts = zip(*(field[block].tolist() for field in fields), strict=True)
        digests = [
            sha256(heads[person] + line % part).digest()
            for person, part in zip(own[block].tolist(), parts, strict=True)
        ]
        words[block] = np.frombuffer(b"".join(digests), ">u8").reshape(-1, 4)
    return words


def _by_digest(own: Integers, words: NDArray[np.uint64], fields: tuple[Integers, ...]) -> Integers:
    """The order of records: by person, then by digest, then by what they are.

    The person and the first bits of the digest, in one word, nearly always decide it.
    """
    room = np.uint64(int(own.max()).bit_length())
    packed = own.astype(np.uint64) << (np.uint64(64) - room)
    packed |= words[:, 0] >> room
    order: Integers = np.argsort(packed)
    same = np.diff(packed[order]) == 0
    return np.lexsort((*fields[::-1], *words.T[::-1], own)) if same.any() else order


def _different(owners: Integers, fields: tuple[Integers, ...]) -> tuple[Integers, Integers]:
    """Where each different record first stands, and which of those every record is."""
    order, starts = _runs(owners, fields)
    which = np.empty(owners.size, np.int64)
    which[order] = np.cumsum(starts) - 1
    return order[starts], which


def _copies(owners: Integers, fields: tuple[Integers, ...]) -> Integers:
    """Equal records of a person, numbered from 1."""
    order, starts = _runs(owners, fields)
    first = np.maximum.accumulate(np.where(starts, np.arange(order.size), 0))
    copies = np.empty(order.size, np.int64)
    copies[order] = np.arange(order.size) - first + 1
    return copies


def _runs(owners: Integers, fields: tuple[Integers, ...]) -> tuple[Integers, Booleans]:
    """Records sorted, and where in that order a new one begins."""
    differing = [field for field in fields if field.size and field.min() < field.max()]
    order = np.lexsort((*differing, owners))
    starts = np.zeros(order.size, np.bool_)
    starts[:1] = True
    for field in (owners, *differing):
        sorted_field = field[order]
        starts[1:] |= sorted_field[1:] != sorted_field[:-1]
    return order, starts


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _code(person: object, code_of: dict[object, int]) -> int:
    """Total: whatever is missing, or cannot be compared, names nobody."""
    try:
        if person is None or person != person:
            return -1
        if isinstance(person, datetime) and person.utcoffset() is not None:
            person = person.astimezone(UTC)  # one moment is one person, in whatever zone it is written
        return code_of.setdefault(person, len(code_of))
    except Exception:
        return -1


def _text(person: object) -> str:
    """A name as every engine writes it: whole numbers without a point, whatever their type, and dates in ticks.

    What is equal has one name: numbers of all types are equal where their values are, and texts are.
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


def label_fingerprints(
    records: NDArray[Any] | Sequence[object],
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Which labels are not missing, and the fingerprint of each, which tells records of a person apart.

    That of a number is its bits, that of a text the first eight bytes of its SHA-256 digest.
    """
    if isinstance(records, np.ndarray):
        numbers = nearest_float64(records)
        return ~np.isnan(numbers), np.ascontiguousarray(numbers).view(np.int64)
    numbers = numbers_of(records)
    fingerprints, texts = numbers.view(np.int64).copy(), np.zeros(numbers.size, np.bool_)
    for index, record in enumerate(records):
        if issubclass(type(record), str):
            digest = sha256(str.__str__(record).encode("utf-8", "surrogatepass")).digest()
            fingerprints[index], texts[index] = int.from_bytes(digest[:8], "big", signed=True), True
    return texts | ~np.isnan(numbers), fingerprints
