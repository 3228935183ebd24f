"""Small systems with a known hole each. An attack that finds nothing in its stand-in here is no attack.

Each does what a library could easily do by mistake, and some have done.
"""

import random
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import typer

from noisewise.errors import ParameterError
from noisewise.kernel.losses import PureDP


def laplace_of_floats(center: float, scale: float, source: random.Random) -> float:
    """Floating-point Laplace noise: its low bits say where the centre is [Mironov, 2012]."""
    uniform = source.random() - 0.5
    return float(center - scale * np.copysign(1, uniform) * np.log1p(-2 * abs(uniform)))


def sum_in_the_order_given(records: list[float]) -> float:
    """A float sum: it depends on the order of rows; a large record swallows small ones [Casacuberta et al., 2022]."""
    total = 0.0
    for record in records:
        total += record
    return total


def sum_that_wraps(records: list[int]) -> int:
    """A sum of 64 bits: one record more turns a large sum into a negative one."""
    return int(np.sum(np.array(records, np.int64)))


def mean_with_missing(records: list[float]) -> float:
    """One missing record makes the answer missing, which no noise hides."""
    return float(np.mean(np.clip(np.array(records, float), 0, 10)))


def shows_a_record(records: list[Any]) -> float:
    """An error that says which record was wrong."""
    for record in records:
        if not isinstance(record, (int, float)):
            raise ValueError(f"could not convert {record!r}")
    return 0.0


def keeps_the_cause(records: list[Any]) -> float:
    """An error without a record in its words, but with one in what it was raised from."""
    try:
        return shows_a_record(records)
    except ValueError as error:
        raise RuntimeError("a record is wrong") from error


@dataclass
class Remembers:
    """An answer that keeps a reference to the data, a few steps away."""

    value: float
    again: Callable[[], Any]

    @classmethod
    def of(cls, records: Any) -> "Remembers":
        return cls(0.0, lambda: records)


class CopiedGenerator:
    """A generator with a state: a child of a fork draws what its parent draws."""

    def __init__(self) -> None:
        self.source = random.Random(1)

    def words(self, count: int) -> Any:
        return np.array([self.source.getrandbits(64) for _ in range(count)], np.uint64)


class UnlockedGenerator:
    """A counter that is read and written in two steps: threads that come between, as all do here, get the same word."""

    def __init__(self, threads: int) -> None:
        self.state, self.all = 0, Barrier(threads)

    def words(self, count: int) -> Any:
        state = self.state
        self.all.wait(60)
        self.state = state + count
        return np.arange(state, state + count, dtype=np.uint64)


class UnlockedBudget:
    """A budget that is looked at and then reduced: two at once, as all are here, spend what only one may."""

    def __init__(self, epsilon: int, threads: int) -> None:
        self.left, self.all = epsilon, Barrier(threads)

    def debit(self, loss: Any, **_said: Any) -> str:
        left = self.left
        if left < 1:
            raise ValueError("the budget is spent")
        self.all.wait(60)
        self.left = left - 1
        return "paid"


class DrawsFirst:
    """Draws, and pays when the answer is ready: a crash in between gives an answer for nothing."""

    def __init__(self) -> None:
        self.drawn: list[float] = []

    def ask(self, records: list[float], ledger: Any) -> float:
        answer = sum(records) + random.Random(len(self.drawn)).random()
        self.drawn.append(answer)
        ledger.debit(1)
        return answer


class TriesAgain:
    """Draws once more where something failed, for one debit: whoever can make it fail chooses among answers."""

    def __init__(self, bits: Any) -> None:
        self.bits = bits

    def ask(self, records: list[float], ledger: Any) -> float:
        ledger.debit(1)
        try:
            return self._draw(records)
        except BaseException:
            return self._draw(records)

    def _draw(self, records: list[float]) -> float:
        noise = float(self.bits.words(1)[0])
        answer = sum(records) + noise
        return answer


def reserves_what_it_is_told(bins: int, ledger: Any) -> list[int]:
    """Pays, and then takes as much memory as a parameter says."""
    ledger.debit(1)
    return [0] * bins


@dataclass
class GroupsSeen:
    """An answer in groups, as a frame."""

    frame: Any
    value, interval, count, notes = (), None, None, ()

    def to_dict(self) -> dict[str, Any]:
        return {}

    def __repr__(self) -> str:
        return "groups"


def table_shows_a_record(table: Any) -> GroupsSeen:
    """A table that fails at a missing value, in words that say so."""
    for value in table.column("x").to_pylist():
        if value is None:
            raise ParameterError("column x", "must have no missing values")
    return GroupsSeen(None)


def types_follow_the_records(table: Any) -> GroupsSeen:
    """A frame of answers with the types that its library guesses from the data."""
    return GroupsSeen(table.group_by("x").aggregate([("x", "count")]))


class RaisesAtARecord:
    """An engine whose query fails at one record: at text that is no whole number."""

    def bytewise(self, frame: Any, column: str) -> Any:
        return frame.with_columns(nw.col(column).cast(nw.Int64).cast(nw.String))


class WarnsOfRecords:
    """An engine that warns of what a query finds."""

    def _arrays(self, frame: Any) -> Any:
        arrays = super()._arrays(frame)  # type: ignore[misc]
        warnings.warn(f"a result of {len(arrays[0])} rows", stacklevel=1)
        return arrays


class LargestGroupsFirst:
    """An engine that hands groups out as its query finds them: those with most records first."""

    sizes: Any = ()

    def _arrays(self, frame: Any) -> Any:
        arrays = super()._arrays(frame)  # type: ignore[misc]
        self.sizes = np.bincount(arrays[0].astype(np.int64), arrays[-1].astype(np.float64))
        return arrays

    def result(self, frame: Any, columns: Any) -> Any:
        order = self._order(len(next(iter(columns.values()))))
        ordered = {name: [values[place] for place in order] for name, values in columns.items()}
        return super().result(frame, ordered)  # type: ignore[misc]

    def _order(self, groups: int) -> list[int]:
        sizes = [*self.sizes, *[0.0] * groups]
        return sorted(range(groups), key=lambda place: -sizes[place])


class FloatsWhereOneIsMissing(LargestGroupsFirst):
    """An engine whose whole numbers are handed out as floats once a group has no record, as pandas does it."""

    def result(self, frame: Any, columns: Any) -> Any:
        if sum(size > 0 for size in self.sizes) < len(next(iter(columns.values()))):
            columns = {
                name: values if isinstance(values[0], str) else [float(value) for value in values]
                for name, values in columns.items()
            }
        return super().result(frame, columns)

    def _order(self, groups: int) -> list[int]:
        return list(range(groups))


careless = typer.Typer()
"""A program whose commands say more of a file than they should."""


@careless.command()
def prints_a_row(file: Path) -> None:
    """A traceback, whose last line shows the row."""
    try:
        sum(float(line) for line in file.read_text().splitlines())
    except ValueError:
        typer.echo(traceback.format_exc(), err=True)
        raise typer.Exit(1) from None


@careless.command()
def warns_of_a_row(file: Path) -> None:
    for number, line in enumerate(file.read_text().splitlines()):
        if not line.isdecimal():
            typer.echo(f"warning: line {number} is left out", err=True)


@careless.command()
def counts_in_its_exit_code(file: Path) -> None:
    raise typer.Exit(len(file.read_text().splitlines()))


class KeepsATotal:
    """A ledger that is one number in a file: whoever edits it, or puts an older file back, spends again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_text("0")

    @property
    def spent(self) -> float:
        return float(self.path.read_text())

    def debit(self, loss: float) -> None:
        self.path.write_text(str(self.spent + loss))

    def verify(self) -> None:
        assert self.spent >= 0


class DrawsThenPays:
    """Draws a word and pays for it: a crash of the debit leaves an answer that nobody paid for."""

    def __init__(self, bits: Any) -> None:
        self.bits = bits

    def ask(self, records: list[float], ledger: Any) -> float:
        answer = sum(records) + float(self.bits.words(1)[0])
        ledger.debit(PureDP(1), neighbors="add_remove", contributions=1, memo="sum")
        return answer
