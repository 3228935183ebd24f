"""Private bounds: a range that holds nearly all records of a column, if nobody knows its bounds.

The answer is a pair of signed powers of a base, which other releases can take as ``bounds``. It is None if there is too
little data. The user declares only limits of scale, and their defaults are generous: records below ``smallest`` count
like ``smallest``, and records beyond ``largest`` are clamped. How it works: questions/search.py. Proof:
docs/proofs/private_bounds.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from noisewise.kernel.losses import Loss
from noisewise.kernel.mechanisms import Laplace
from noisewise.kernel.numbers.exact import exact
from noisewise.kernel.sampling import Bits
from noisewise.questions.keywords import Protection
from noisewise.questions.measured import Measured, known_records
from noisewise.questions.payable import Payable
from noisewise.questions.promise import Promise
from noisewise.questions.search import BETA, LARGEST, SMALLEST, BoundsSearch, exact_beta
from noisewise.questions.terms import PrivacyTerms
from noisewise.results.release import Release
from noisewise.tables.columns import declare
from noisewise.tables.columns.array_column import Declared
from noisewise.tables.columns.magnitudes import Magnitudes


@dataclass(frozen=True, slots=True, repr=False)
class PrivateBounds(Payable):
    """A search for bounds that nobody has paid for yet."""

    data: Declared
    search: BoundsSearch

    @classmethod
    def of(
        cls,
        data: object,
        *,
        base: object = 2,
        smallest: object = SMALLEST,
        largest: object = LARGEST,
        beta: object = BETA,
        **terms: Unpack[Protection],
    ) -> "PrivateBounds":
        """Check every parameter and the declared type of the data. Errors are the same whatever the records say."""
        checked, magnitudes = PrivacyTerms.of(**terms), Magnitudes.of(base, smallest, largest)
        return cls(declare(data), BoundsSearch(magnitudes, *checked, exact_beta(beta)))

    @property
    def inner(self) -> BoundsSearch:
        return self.search

    def loss_of(self, records: int) -> Loss:
        return self.search.loss_of(records)

    @property
    def memo(self) -> str:
        return f"private bounds by {self.search.version}"

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        return Promise(mechanism=Laplace.name, numbers=2, sentence=self.search.overlooks("the bounds"))

    def measured(self) -> Measured:
        """The error is the number of records outside the bounds. If no bounds are found, all records are outside."""
        records = known_records(*self.data.fetch())

        def outside(bounds: Any) -> list[float]:
            if bounds is None:
                return [float(records.size)]
            return [float(np.count_nonzero((records < bounds[0]) | (records > bounds[1])))]

        return Measured.of_draws(self, self.search.widest(self.data), outside)

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        search, powers = self.search, self.search.magnitudes.powers
        with np.errstate(all="ignore"):
            bounds = search.find(self.data, bits=bits)
        return self.released(
            bounds,
            receipt,
            bits,
            statistic="private bounds",
            mechanism=Laplace.name,
            granularity=exact("smallest", powers[0]),
            bounds=(-powers[-1], powers[-1]),
            law=search.version,
            notes=search.notes(bounds),
            names=("low", "high"),
        )
