"""The largest eigenvalues of an exact integer matrix, and the projector on the first eigenvector, both certified.

The matrix is symmetric with no negative eigenvalue. The gap comes from roots of its characteristic polynomial, isolated
in balls; the projector is the limit of A^k / trace(A^k). Where balls are too wide, all is done again with twice the
bits, so both always come out: neither can fail on any data. Proof: docs/proofs/eigen.md.
"""

from collections.abc import Iterator
from itertools import count
from typing import Any

from flint import arb, arb_mat, fmpz_mat

from noisewise.kernel.numbers.balls import precision

Matrix = list[list[int]]

DIGITS, ERROR = 128, 8
"""Projectors are known to this many binary digits, but for the last of them."""


def gap(matrix: Matrix, unit: int, parts: int) -> int:
    """The difference of the two largest eigenvalues in parts of a unit: at most that, short of it by less than 2."""
    polynomial = fmpz_mat(matrix).charpoly()
    first = max(64, sum(matrix[i][i] for i in range(len(matrix))).bit_length() - unit.bit_length() + 64)
    for bits in _rising(first):
        with precision(bits):
            found: Any = polynomial.complex_roots()
            roots = [root.real for root, times in found for _ in range(int(times))]
            error = arb(0, max(root.rad() for root in roots))
            second, top = sorted(root.mid() for root in roots)[
                -2:
            ]  # each within that error of its eigenvalue
            apart = (top - second + 2 * error) * parts / unit
            if apart.rad() < 0.25:
                return _floor(apart)
    raise AssertionError("unreachable")


def projector(matrix: Matrix) -> Matrix:
    """The entries of vvᵀ times 2^DIGITS, each short of it by less than 2^ERROR.

    M = A^k / trace(A^k) has trace one and the eigenvectors of A, so no entry is further from vvᵀ than 1 - |M|².
    """
    near = arb(2) ** (ERROR - DIGITS - 3)
    for bits in _rising(3 * DIGITS):
        with precision(bits):
            power = arb_mat(fmpz_mat(matrix))
            for _ in range(bits):
                power = power / power.trace()
                square = power * power
                far = 1 - square.trace()
                if far.upper() < near and max(entry.rad() for entry in power.entries()) < near:
                    error = arb(0, far.upper())
                    return [[_floor((entry + error) * 2**DIGITS) for entry in row] for row in power.tolist()]
                power = square
    raise AssertionError("unreachable")


def _floor(number: arb) -> int:
    """The floor of the lower end of a ball."""
    return int(number.lower().floor().fmpz())


def _rising(bits: int) -> Iterator[int]:
    return (bits << times for times in count())
