"""People, not rows: which of a person's records take part.

At most ``contributions`` records of a person are kept, in at most ``max_groups`` groups. The choice is a function of
that person's own records and of a secret salt, so nobody's choice depends on anybody else, and it is the same each time
the data is read. Order decides it: that of SHA-256 digests over text which reads alike on every engine,

    group    sha256("<salt>|group|<person>|<group>")
    record   sha256("<salt>|record|<person>|<group>|<number>|...|<copy>")

where a number is a lattice index, a group the place of its key among those declared (0 without groups), and equal
records of a person are told apart as copies 1, 2, ... . The first in that order are kept, counted one by one: digests
that tie let nobody through. Proof that one person then changes at most so many records: docs/proofs/people.md.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.sampling import Bits, SystemBits

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


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
class People:
    """Who owns each row: a code per row, -1 where a row names nobody, and the name behind each code, as text."""

    codes: Integers
    names: Callable[[int], str]

    def __repr__(self) -> str:
        return "<People: withheld>"

    @classmethod
    def of(cls, ids: NDArray[Any] | Sequence[object]) -> "People":
        """People by what a column holds: numbers, text, or anything that reads as text. Missing ids name nobody."""
        if isinstance(ids, np.ndarray) and ids.dtype.kind in "biuf":
            return cls._of_numbers(ids)
        known: dict[object, int] = {}
        codes = np.fromiter((_code(person, known) for person in ids), np.int64, len(ids))
        return cls(codes, [_text(person) for person in known].__getitem__)

    @classmethod
    def _of_numbers(cls, ids: NDArray[Any]) -> "People":
        found, codes = np.unique(ids, return_inverse=True)
        codes = codes.astype(np.int64)
        if ids.dtype.kind == "f":
            codes[np.isnan(ids)] = -1
        return cls(codes, lambda code: _text(found[code].item()))

    def keep(self, rows: Mask, groups: Integers, records: tuple[Integers, ...], choice: Choice) -> Mask:
        """Which of the marked rows take part; rows that name nobody do not."""
        kept: Mask = rows & (self.codes >= 0)
        if choice.max_groups is not None:
            kept[kept] = self._within_groups(kept, groups, choice)
        kept[kept] = self._within_records(kept, groups, records, choice)
        return kept

    def _within_groups(self, rows: Mask, groups: Integers, choice: Choice) -> Mask:
        """Which rows belong to the groups that their person keeps."""
        assert choice.max_groups is not None
        pairs, pair = np.unique(np.stack([self.codes[rows], groups[rows]]), axis=1, return_inverse=True)
        people, places = pairs
        keep = np.ones(people.size, np.bool_)
        for person, own in _crowds(people, choice.max_groups):
            name, chosen = self.names(person), own[np.argsort(places[own], kind="stable")]
            order = sorted(
                chosen, key=lambda i: (_digest(choice.salt, "group", name, places[i]), int(places[i]))
            )
            keep[order[choice.max_groups :]] = False
        return keep[pair.ravel()]

    def _within_records(
        self, rows: Mask, groups: Integers, records: tuple[Integers, ...], choice: Choice
    ) -> Mask:
        """Which rows are among those that their person keeps."""
        people, fields = self.codes[rows], [field[rows] for field in (groups, *records)]
        keep = np.ones(people.size, np.bool_)
        for person, own in _crowds(people, choice.contributions):
            name, copies = self.names(person), dict[tuple[int, ...], int]()
            digests = []
            for row in own:
                record = tuple(int(field[row]) for field in fields)
                copies[record] = copies.get(record, 0) + 1
                digests.append((_digest(choice.salt, "record", name, *record, copies[record]), record, row))
            for *_, row in sorted(digests)[choice.contributions :]:
                keep[row] = False
        return keep


def _crowds(people: Integers, most: int) -> list[tuple[int, Integers]]:
    """Each person with more than so many rows, and their rows in order."""
    order = np.argsort(people, kind="stable")
    starts = np.flatnonzero(np.diff(people[order], prepend=-1))
    sizes = np.diff(np.append(starts, people.size))
    return [
        (int(people[order[start]]), order[start : start + size])
        for start, size in zip(starts[sizes > most], sizes[sizes > most], strict=True)
    ]


def _digest(*parts: object) -> str:
    return sha256("|".join(map(str, parts)).encode("utf-8", "surrogatepass")).hexdigest()


def _code(person: object, known: dict[object, int]) -> int:
    """Total: whatever is missing, or cannot be told apart, names nobody."""
    try:
        if person is None or person != person:
            return -1
        return known.setdefault(person, len(known))
    except Exception:
        return -1


def _text(person: object) -> str:
    """A name as every engine writes it: whole numbers without a point, whatever their type."""
    if isinstance(person, float) and math.isfinite(person) and person == int(person):
        return str(int(person))
    try:
        return str(person)
    except Exception:
        return ""
