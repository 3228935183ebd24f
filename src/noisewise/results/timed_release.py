"""TimedRelease: a release whose answer is a date, a time or a duration."""

from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

from noisewise.results.release import AnswerInterval, Release
from noisewise.tables.time.clock import Clock, iso, spoken


class TimedRelease(Release):
    """A private answer that is a date, a time or a duration. So are its bounds. Its granularity is a timedelta."""

    __slots__ = ()

    @classmethod
    def of(cls, release: Release, clock: Clock, *, grouped: bool = False) -> "TimedRelease":
        """The release with its microseconds turned into dates. If ``grouped``, its value has one number per group."""
        values: dict[str, Any] = {field.name: getattr(release, field.name) for field in fields(release)}
        value = tuple(map(clock.value, release.value)) if grouped else clock.value(release.value)
        values |= {
            "value": value,
            "bounds": clock.bounds,
            "granularity": clock.granularity or release.granularity,
            "interval": None if release.interval is None else in_clock(release.interval, clock, grouped),
        }
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        if not isinstance(self.granularity, timedelta):
            return Release.to_dict(self) | {"bounds": iso(self.bounds)}
        numbers = Release.to_dict(replace(self, granularity=None))
        if "interval" in numbers:
            numbers["interval"] |= {end: iso(numbers["interval"][end]) for end in ("low", "high")}
        return numbers | {name: iso(getattr(self, name)) for name in ("value", "bounds", "granularity")}

    def possible_answers(self) -> str:
        if not isinstance(self.granularity, timedelta) or self.bounds is None:
            return Release.possible_answers(self)
        low, high = self.bounds
        return f"within {low} .. {high}, in steps of {spoken(self.granularity)}"


def in_clock(interval: AnswerInterval, clock: Clock, grouped: bool) -> AnswerInterval:
    """The interval with its microseconds turned into dates. If ``grouped``, each end has one number per group."""
    low, high = (tuple(map(clock.value, end)) if grouped else clock.value(end) for end in interval)
    return replace(interval, low=low, high=high)
