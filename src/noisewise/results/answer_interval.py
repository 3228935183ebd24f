"""An interval that comes with an answer: between which numbers the true one lies, and how surely.

There are two kinds. An interval of the noise holds what the records themselves say: the answer that would be given
without noise. An interval of the population holds what is true of the population that the records are a sample of, so
that the luck of the sample is in it, too. Proof: docs/proofs/answer_interval.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from noisewise.kernel.numbers.exact import spell

MANY = 12
"""How many intervals a receipt prints."""

Kind = Literal["noise", "population"]

Scope = Literal["answer", "all", "each"]
"""What the probability is about: the one answer, all answers of a question together, or each group by itself."""


@dataclass(frozen=True, slots=True)
class AnswerInterval:
    """Two ends, ``low, high = release.interval``; a tuple of them for an answer of several numbers, or for groups.

    Attributes:
        low: The lower end.
        high: The upper end.
        confidence: The probability that the truth lies between them, whatever the data are; at least this.
        kind: ``"noise"`` where the truth is that of these records, ``"population"`` where it is that of the population
            they are a sample of.
        epsilon: The part of epsilon that paid for it; 0 where the noise is public.
        scope: What the probability is about: one ``"answer"``, ``"all"`` numbers of an answer together, or ``"each"``
            group.
    """

    low: Any
    high: Any
    confidence: Fraction
    kind: Kind = "noise"
    epsilon: Fraction = Fraction(0)
    scope: Scope = "answer"

    def __iter__(self) -> Iterator[Any]:
        return iter((self.low, self.high))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, end: int) -> Any:
        return (self.low, self.high)[end]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it; exact numbers as text."""
        return {
            "low": self.low,
            "high": self.high,
            "confidence": spell(self.confidence),
            "kind": self.kind,
            "epsilon": spell(self.epsilon),
            "scope": self.scope,
        }

    def sentence(self, truth: str, ends: Sequence[tuple[str, str]]) -> str:
        """What it says, in words, of a truth such as "median of salary"; with all ends as a person writes them."""
        sure = f"with probability {spell(100 * self.confidence)}%"
        always = "whatever the data are" if self.kind == "noise" else "whatever the population is"
        if self.scope == "each":
            return f"in each group the true {truth} lies in its interval {sure}, {always}"
        if self.scope == "all":
            pairs = "; ".join(f"{low} to {high}" for low, high in ends[:MANY])
            rest = f"; ... ({len(ends):,} in all)" if len(ends) > MANY else ""
            return f"{sure} all true numbers of the {truth} lie in their intervals, {always}: {pairs}{rest}"
        ((low, high),) = ends
        return f"the true {truth} lies between {low} and {high} {sure}, {always}"
