"""More mechanisms of the literature, as laws for comparisons. No answer is released by them.

Each mechanism takes a question about public data with a price, and returns the law of its own answer, in floats.
"""

from collections.abc import Callable

from noisewise.paper.above_threshold import above_threshold, asymmetric
from noisewise.paper.comparison_law import ComparisonLaw
from noisewise.paper.local_sensitivity import (
    propose_test_release,
    smooth_sensitivity,
    smooth_sensitivity_laplace,
)
from noisewise.paper.shifted_inverse_table import shifted_inverse
from noisewise.questions.request import Request

FAMILY: dict[str, Callable[[Request], ComparisonLaw]] = {
    "above_threshold": above_threshold,
    "asymmetric": asymmetric,
    "propose_test_release": propose_test_release,
    "shifted_inverse": shifted_inverse,
    "smooth_sensitivity": smooth_sensitivity,
    "smooth_sensitivity_laplace": smooth_sensitivity_laplace,
}
"""By the names that `compare` takes; `questions.choice.FOR_COMPARISON` says why they are not released.

Maxima and minima alone are released by shifted_inverse; here it is for counts and sums.
"""

__all__ = ["FAMILY", "ComparisonLaw"]
