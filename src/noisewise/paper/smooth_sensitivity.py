"""Smooth sensitivity [Nissim, Raskhodnikova & Smith 2007]: noise by the local sensitivity, smoothed over all datasets.

    S = max over k of e^(-b*k) * LS(k)      LS(k): the most that one person moves the answer, k edits away from the data

LS(k) is exact (local_sensitivity.py): for quantiles, for triangles, and for variances of swapped records. S moves
between neighbours by a factor of at most e^b.

Two kinds of noise. Student's t of 3 degrees is purely epsilon-DP: moving it by s scales costs at most 2*s/sqrt(3),
and stretching it by e^t at most 3*t, so b = epsilon/6 and a scale of 4*S/(sqrt(3)*epsilon) share epsilon in halves.
Laplace noise of scale 2*S/epsilon is (epsilon, delta)-DP with b = epsilon/(2 ln(2/delta)).
"""

import math

from noisewise.paper.comparison_law import NoiseLaw, laplace_noise
from noisewise.paper.local_sensitivity import Local
from noisewise.questions.request import Request

DELTA = 1e-6
"""The delta of Laplace noise."""

ROOT = math.sqrt(3)


def smooth_sensitivity(request: Request) -> NoiseLaw:
    """The purely private variant, by Student's t of 3 degrees."""
    epsilon, local = float(request.mechanism.epsilon), Local.of("smooth_sensitivity", request)
    scale = 4 * local.smoothed(epsilon / 6) / (ROOT * epsilon)
    return NoiseLaw(local.centre, scale, local.ends, student_tail, student_mean_up_to, "pure")


def smooth_sensitivity_laplace(request: Request) -> NoiseLaw:
    """The (epsilon, delta) variant, by Laplace noise."""
    epsilon, local = float(request.mechanism.epsilon), Local.of("smooth_sensitivity_laplace", request)
    smooth = local.smoothed(epsilon / (2 * math.log(2 / DELTA)))
    return laplace_noise(local.centre, 2 * smooth / epsilon, local.ends, f"approximate, δ = {DELTA:g}")


def student_tail(far: float) -> float:
    """The chance that Student's t of 3 degrees is above a distance."""
    u = far / ROOT
    return math.atan2(1, u) / math.pi - u / (1 + u * u) / math.pi


def student_mean_up_to(far: float) -> float:
    """The integral of its tail from 0 up to a distance."""
    u = far / ROOT
    return far * student_tail(far) + ROOT / math.pi * (u * u / (1 + u * u))
