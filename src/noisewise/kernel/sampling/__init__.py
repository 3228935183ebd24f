"""Exact draws from integers and one rational rate, by random bits of the system. Read `bits` and `draw` first."""

from noisewise.kernel.sampling.bits import Bits, SystemBits, audit_choice, from_system
from noisewise.kernel.sampling.draw import draw
from noisewise.kernel.sampling.steps import Steps

__all__ = ["Bits", "Steps", "SystemBits", "audit_choice", "draw", "from_system"]
