"""JointRelease: the answers to several questions that were asked and paid for together."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from noisewise.calls import checked_class
from noisewise.kernel.losses import Loss
from noisewise.results.card import card_of
from noisewise.results.in_frames import InFrames
from noisewise.results.release import WORDS, Release, privacy_and_worth

if TYPE_CHECKING:
    from noisewise.results.pictures.svg import Picture


class SeveralAnswers(InFrames):
    """The common part of several answers with one receipt. ``about`` holds all of them as one `Release`."""

    __slots__ = ()
    about: Release
    each: dict[str, Release]

    @property
    def what(self) -> str:
        """The questions and their columns, in words."""
        return ", ".join(release.what for release in self.each.values())

    @property
    def privacy(self) -> Loss:
        """The most that all answers together can reveal about one person, as a loss. It includes the keys of groups if
        these were found in the data."""
        return self.about.privacy

    @property
    def receipt(self) -> Any:
        """The ledger's entry; None without a ledger."""
        return self.about.receipt

    def card(self) -> dict[str, Any]:
        """A record to file or publish, like that of `Release`, with the keys of groups and all answers."""
        return card_of(self.to_dict(), self.privacy)

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON can hold them; exact numbers as text."""
        return self.about.to_dict()

    def _repr_html_(self) -> str:
        from noisewise.results.release_html import release_html

        return release_html(self)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self!r}\n{WORDS}"


@checked_class("it is what Dataset(frame).agg(...) answers")
class JointRelease(SeveralAnswers, Mapping[str, Release]):
    """The private answers to several questions, with one receipt. ``release["pay"]`` is the answer of that name.

    ``print(release)`` prints each answer with everything a reader must know.

    Attributes:
        about: All answers as one `Release`: the values, the law, whom it protects, what it cost.
        each: A `Release` for each question, by its name.
    """

    __slots__ = ("about", "each")

    def __init__(self, about: Release, each: dict[str, Release]) -> None:
        self.about, self.each = about, dict(each)

    def __getitem__(self, name: str) -> Release:
        return self.each[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    @property
    def value(self) -> tuple[Any, ...]:
        """The answers in the order of the questions."""
        return tuple(release.value for release in self.each.values())

    @property
    def frame(self) -> Any:
        """A data frame with a row for each number: the question, the number's name, its value and its interval."""
        from noisewise.results.tidy import frame_of

        return frame_of(self)

    def plot(self, name: str) -> "Picture":
        """A picture of the answer of that name."""
        return self.each[name].plot()

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON can hold them; exact numbers as text."""
        each = {name: release.to_dict() for name, release in self.each.items()}
        return {**self.about.to_dict(), "value": [one["value"] for one in each.values()], "each": each}

    def __repr__(self) -> str:
        answers = "\n".join(f"{name}: {release!r}" for name, release in self.each.items())
        return f"{answers}\ntogether: {privacy_and_worth(self.privacy, self.receipt)}"
