"""Noise on whole numbers that are not below 0, such as counts and sums: each number has its own noise."""

from collections.abc import Sequence

import numpy as np

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers
from noisewise.questions.choice import Noise


def law_of_counts(noise: Noise, counts: Sequence[int] | Integers) -> Law | GaussianLaw:
    """The secret laws of the noisy numbers. The noise must hide all of them together."""
    centres = np.asarray(counts, np.int64)
    envelope = Envelope(centres, centres, np.arange(centres.size + 1), (0, None))
    return noise.law(envelope, Answers.counting())
