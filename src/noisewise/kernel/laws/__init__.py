"""Envelopes, scores, and laws made of them. Read `envelope` and `law` first, then `score` and `balance_law`."""

from typing import TypeAlias

from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law

AnyLaw: TypeAlias = Law | BalanceLaw | GaussianLaw
"""The types of laws that draw an answer of one number."""
