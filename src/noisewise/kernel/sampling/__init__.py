"""Exact draws from integers and one rational rate, by the only random bits. Read `bits` and `draw` first."""

from noisewise.kernel.sampling.bits import Bits, SystemBits, chosen, from_system
from noisewise.kernel.sampling.draw import draw
from noisewise.kernel.sampling.steps import Steps

__all__ = ["Bits", "Steps", "SystemBits", "chosen", "draw", "from_system"]
