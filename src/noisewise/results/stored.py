"""Releases as JSON that gives the same release back: every digit, every type.

JSON has no fractions, dates or tuples. So an object with one name says what it holds, as in ``{"fraction": "1/3"}``. A
list is a tuple. A study keeps its answers so, and so can whoever wants to look at a release again.
"""

from dataclasses import fields
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.ledger.amounts import Amount
from noisewise.ledger.entries import Entry
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.joint_release import JointRelease
from noisewise.results.release import AnswerInterval, Release
from noisewise.results.tidy import AnyRelease, Columns, columns_of_groups, frame_of_columns
from noisewise.results.timed_release import TimedRelease
from noisewise.tables.groups.keys import Keys

KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        Release,
        TimedRelease,
        AnswerInterval,
        PureDP,
        BoundedRange,
        ZCDP,
        ApproxDP,
        Entry,
        Amount,
        Keys,
    )
}
FORMAT = 1


def to_json(release: AnyRelease) -> dict[str, Any]:
    """Return a release as an object of JSON, from which `from_json` makes an equal release."""
    if isinstance(release, Release):
        return {"stored": FORMAT, "single": _written(release)}
    parts = {"about": _written(release.about), "each": _written(release.each)}
    if isinstance(release, GroupedRelease):
        return {"stored": FORMAT, "keys": _written(release.keys), **parts}
    return {"stored": FORMAT, **parts}


def from_json(stored: object) -> AnyRelease:
    """Return the release that `to_json` has written. Anything else raises an error."""
    try:
        content = dict(stored)  # type: ignore[call-overload]
        if content.pop("stored") != FORMAT:
            raise ValueError
        parts = {name: _read(part) for name, part in content.items()}
        if "single" in parts:
            single: Release = _checked(parts["single"], Release)
            return single
        about, each = _checked(parts["about"], Release), parts["each"]
        releases = {str(name): _checked(one, Release) for name, one in each.items()}
        if "keys" not in parts:
            return JointRelease(about, releases)
        keys = _checked(parts["keys"], Keys)
        return GroupedRelease(_frame(columns_of_groups(keys, releases)), keys, about, releases)
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):
        raise ParameterError("a stored release", "must be as it was written", got="something else") from None


def _frame(columns: Columns) -> Any:
    """Return columns as a data frame; None if no library for data frames is installed."""
    try:
        return frame_of_columns(columns)
    except ParameterError:
        return None


def _checked(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError
    return value


def _written(value: Any) -> Any:
    """Return a value as JSON can hold it. This never fails, because the answer is paid for: an unknown type becomes
    text."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, str)):
        return value if value is None or isinstance(value, bool) else str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if isfinite(value) else {"float": repr(float(value))}
    if isinstance(value, tuple):
        return list(map(_written, value))
    if isinstance(value, list):
        return {"list": list(map(_written, value))}
    if isinstance(value, dict):
        return {"dict": [[_written(name), _written(each)] for name, each in value.items()]}
    if isinstance(value, (Fraction, Decimal)):
        return {type(value).__name__.lower(): str(value)}
    if isinstance(value, datetime):
        zone = getattr(value.tzinfo, "key", None)
        return {"datetime": [value.isoformat(), *([zone, value.fold] if zone else [])]}
    if isinstance(value, (date, time)):
        return {type(value).__name__: value.isoformat()}
    if isinstance(value, timedelta):
        return {"timedelta": [value.days, value.seconds, value.microseconds]}
    if type(value).__name__ in KINDS:
        return {
            type(value).__name__: {each.name: _written(getattr(value, each.name)) for each in fields(value)}
        }
    return str(value)


def _read(written: Any) -> Any:
    if isinstance(written, list):
        return tuple(map(_read, written))
    if not isinstance(written, dict):
        return written
    ((kind, content),) = written.items()
    if kind in KINDS:
        return KINDS[kind](**{name: _read(part) for name, part in content.items()})
    return READERS[kind](content)


def _datetime(content: list[Any]) -> datetime:
    text, *zone = content
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=ZoneInfo(zone[0]), fold=zone[1]) if zone else moment


READERS: dict[str, Any] = {
    "float": float,
    "fraction": Fraction,
    "decimal": Decimal,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "datetime": _datetime,
    "timedelta": lambda content: timedelta(*content),
    "list": lambda content: list(map(_read, content)),
    "dict": lambda content: {_read(name): _read(each) for name, each in content},
}
