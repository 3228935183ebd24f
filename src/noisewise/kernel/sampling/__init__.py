"""Exact draws from integers and one rational rate. The only room that touches randomness."""

from noisewise.kernel.sampling.bits import Bits, SystemBits, chosen, from_system
from noisewise.kernel.sampling.draw import draw
from noisewise.kernel.sampling.steps import Steps

__all__ = ["Bits", "Steps", "SystemBits", "chosen", "draw", "from_system"]
