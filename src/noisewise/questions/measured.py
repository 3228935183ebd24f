"""Not private: how far answers are from the truth, measured on data that anybody may see.

If an answer has one law, its error is computed from that law. Several numbers that depend on each other, and answers of
several draws, have no single law, so they are drawn 200 times. Nothing here is paid for. The code that reads laws is
imported only when it is first needed, so that releases load without it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewise.kernel.laws import AnyLaw
from noisewise.kernel.numbers.arrays import Floats

if TYPE_CHECKING:
    from noisewise.questions.payable import Payable

DRAWS = 200
"""How often an answer without a single law is drawn."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Not private: the answer without noise, and how far releases are from it.

    Attributes:
        answer: The answer without noise. A tuple if the answer has several numbers.
        mean: The mean distance of a release from the answer.
        within: A function from a probability to the distance that a release keeps with that probability.
        draws: How many draws were measured; None if the error was computed from the law.
    """

    answer: Any
    mean: float
    within: Callable[[float], float]
    draws: int | None = None

    @classmethod
    def of_law(cls, law: AnyLaw) -> "Measured":
        """Measure an answer of one number from its law."""
        from noisewise.planning.readings.read_law import read_law

        reading = read_law(law)
        return cls(centre_of(law), reading.expected_error(), reading.within)

    @classmethod
    def of_draws(
        cls, payable: "Payable", answer: Any, distances: Callable[[Any], Sequence[float]]
    ) -> "Measured":
        """Measure an answer without a single law. ``distances`` maps a drawn value to its distances from the truth."""
        found = np.array([distances(payable.answer().value) for _ in range(DRAWS)], np.float64)

        def within(share: float) -> float:
            return float(np.quantile(found, share, method="higher"))

        return cls(answer, float(found.mean()), within, DRAWS)

    @classmethod
    def of_numbers(cls, payable: "Payable", answer: Any) -> "Measured":
        """Measure an answer of several numbers, such as a vector or a matrix: each is compared with the true number."""
        true = np.array(answer, np.float64)

        def distances(value: Any) -> list[float]:
            apart: list[float] = np.abs(np.array(value, np.float64) - true).ravel().tolist()
            return apart

        return cls.of_draws(payable, answer, distances)


def centre_of(law: AnyLaw) -> float:
    """The answer without noise, read from the law of a single answer."""
    from noisewise.planning.readings.read_law import read_law

    return float(read_law(law).centre * law.granularity)


def known_records(values: Any, mask: Any) -> Floats:
    """The records that are not missing."""
    records = np.asarray(values, np.float64)
    return records[~np.isnan(records) if mask is None else ~np.isnan(records) & ~mask]
