"""Checks for a statistic of your own, on every small dataset, and for an engine. They report the first violation."""

from noisewise.audit.checks import Checked, Violation, check_envelope, check_levels, check_privacy
from noisewise.audit.engine_check import EngineChecked, check_engine
from noisewise.audit.nesting import is_monotone, nests_in, radii_nest_in
from noisewise.audit.score_check import check_score

__all__ = [
    "Checked",
    "EngineChecked",
    "Violation",
    "check_engine",
    "check_envelope",
    "check_levels",
    "check_privacy",
    "check_score",
    "is_monotone",
    "nests_in",
    "radii_nest_in",
]
