"""JointRelease: the answers to several questions, asked and paid for at once."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from noisewise.calls import judged_class
from noisewise.kernel.losses import Loss
from noisewise.results.card import card_of
from noisewise.results.release import WORDS, Release

if TYPE_CHECKING:
    from noisewise.results.pictures.svg import Picture


@judged_class("it is what Dataset(frame).agg(...) answers")
class JointRelease(Mapping[str, Release]):
    """The private answers to several questions: ``release["pay"]`` is the answer named so, and one receipt is for all.

    ``print(release)`` prints each answer with all that a reader must know.

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
    def privacy(self) -> Loss:
        """What all answers together may tell about anybody, as a loss."""
        return self.about.privacy

    @property
    def receipt(self) -> Any:
        """The ledger's entry; None where there is no ledger."""
        return self.about.receipt

    @property
    def frame(self) -> Any:
        """A data frame with a row for each number: the question, the number's name, its value and its interval."""
        from noisewise.results.tidy import columns_of_joint, frame_of_columns

        return frame_of_columns(columns_of_joint(self))

    def plot(self, name: str) -> "Picture":
        """A picture of the answer named so."""
        return self.each[name].plot()

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it; exact numbers as text."""
        each = {name: release.to_dict() for name, release in self.each.items()}
        return {**self.about.to_dict(), "value": [one["value"] for one in each.values()], "each": each}

    def card(self) -> dict[str, Any]:
        """A record to file or publish, as that of `Release`, with that of each answer."""
        return card_of(self.to_dict(), self.privacy)

    def __repr__(self) -> str:
        answers = "\n".join(f"{name}: {release!r}" for name, release in self.each.items())
        return f"{answers}\ntogether: {self.privacy}"

    def __str__(self) -> str:
        return f"{self!r}\n{WORDS}"

    def _repr_html_(self) -> str:
        from noisewise.results.release_html import joint_html

        return joint_html(self)
