"""Exact draws from integers and one rational rate, by random bits of the system. Read `bits` and `draw` first."""

from noisewise.kernel.sampling.bits import Bits, SystemBits, audit_choice, from_system
from noisewise.kernel.sampling.draw import Steps, draw

__all__ = ["Bits", "Steps", "SystemBits", "audit_choice", "draw", "from_system"]
