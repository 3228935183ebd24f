"""Checks for a statistic of your own: enumerate a small world and report the first violation readably."""

from noisewise.testing.checks import Checked, Violation, check_envelope, check_privacy
from noisewise.testing.score_check import check_score

__all__ = ["Checked", "Violation", "check_envelope", "check_privacy", "check_score"]
