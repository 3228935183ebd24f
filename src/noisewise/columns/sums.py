"""Exact sums of lattice indices, block by block, at the speed of float64.

Indices are counted from the lattice's low end, so they are non-negative integers up to 2^52. Float64 adds and
multiplies integers exactly as long as nothing passes 2^53; numbers too large for that are cut into limbs of 18 bits,
whose products (36 bits) still add up exactly over a block of 2^16. Python integers take over from block to block.
"""

import numpy as np
from numpy.typing import NDArray

LIMB = 18
LARGEST_BLOCK = 1 << 16
EXACT = 1 << 53


def block_sum(indices: NDArray[np.float64], most: int) -> int | None:
    """The sum of a block of non-negative integers, none above ``most``; None where one of them is NaN."""
    total = float(np.sum(indices))
    if total != total:
        return None
    if most * indices.size < EXACT:
        return int(total)
    return sum(int(np.sum(limb)) << shift for limb, shift in _limbs(indices, most))


def block_squares(indices: NDArray[np.float64], most: int) -> int:
    """The sum of the squares of a block of non-negative integers, none above ``most``."""
    limbs = _limbs(indices, most)
    return sum(
        int(np.einsum("i,i->", a, b)) << (s + t) for a, s in limbs for b, t in limbs
    )  # @ would start threads


def _limbs(indices: NDArray[np.float64], most: int) -> list[tuple[NDArray[np.float64], int]]:
    """The integers as sums of limbs below 2^18, each with its shift."""
    assert indices.size <= LARGEST_BLOCK
    limbs, rest, shift = [], indices, 0
    while most >> shift >= 1 << LIMB:
        higher = np.floor(rest * 2.0**-LIMB)
        limbs.append((rest - higher * 2.0**LIMB, shift))
        rest, shift = higher, shift + LIMB
    return [*limbs, (rest, shift)]
