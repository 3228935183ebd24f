"""Figures of densities, as curves on one axis. A figure is as secret as the levels that it is drawn from."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError, Words
from noisewise.results.pictures.charts import MOST_LINES, Line, line_chart
from noisewise.results.pictures.svg import Picture

Shown = Literal["pdf", "cdf", "score", "within"]

UP: dict[str, str] = {
    "pdf": "density",
    "cdf": "chance to be at most this",
    "score": "score -q(y; x)",
    "within": "chance to be this near",
}
"""What the vertical axis is."""

POINTS = 400
"""In how many places a density is computed, besides its edges."""


def plot(
    curves: Mapping[str, Any],
    *,
    of: Shown = "pdf",
    title: str = "A figure of the paper",
    across: str = "answer",
    up: str | None = None,
    equal: bool = False,
) -> Picture:
    """Densities, or points (x, y), as curves with names: the paper's figures. For analysis.

    Args:
        curves: Densities or points by their names.
        of: What is drawn of a density: itself, its cdf, its score -q(y; x), or Pr[|Y - f(x)| <= alpha].
        title: What the figure shows.
        across: What the horizontal axis is.
        up: What the vertical axis is; by default what is drawn of a density.
        equal: Whether a unit is equally long on both axes, so that circles are round.

    Examples:
        >>> law = nws.paper.PiecewiseLaplace([5, 3, 0], [5, 6, 10], epsilon=2)
        >>> nws.paper.plot({"M.1": law}, of="score").title
        'A figure of the paper'
    """
    if not isinstance(curves, Mapping):
        raise ParameterTypeError("curves", "must be a dict of curves by their names") from None
    if len(curves) > MOST_LINES:
        raise ParameterError("curves", f"must be at most {MOST_LINES}", got=str(len(curves))) from None
    if of not in UP:
        raise ParameterError("of", ("must be ", Words(*UP))) from None
    lines = [Line(name, tuple(_points(curve, of))) for name, curve in curves.items()]
    label = up if up is not None else UP[of] if any(map(_is_density, curves.values())) else ""
    return line_chart(
        lines, title=title, note="for analysis, not private", across=across, up=label, equal=equal
    )


def _is_density(curve: Any) -> bool:
    return hasattr(curve, "quality_score")


def _points(curve: Any, of: Shown) -> list[tuple[float, float]]:
    """Return given points unchanged. Return points of a density: across its support, and close to each edge of a level.

    A density may jump at the edges.
    """
    if not _is_density(curve):
        points = np.asarray(curve)
        if points.ndim != 2 or points.shape[1] != 2 or points.dtype.kind not in "iuf":
            raise ParameterTypeError("curves", "must be densities of one number, or points (x, y)") from None
        return [(float(x), float(y)) for x, y in points]
    low, high = curve.support
    edges = np.concatenate([np.array(curve.lower) - curve.smooth, np.array(curve.upper) + curve.smooth])
    beside = (high - low) * 1e-9
    at = np.concatenate([np.linspace(low, high, POINTS), edges - beside, edges + beside])
    at = np.unique(np.clip(at, low, high))
    if of == "within":
        at = np.linspace(0, max(high - curve.answer, curve.answer - low), POINTS)
    values = -curve.quality_score(at) if of == "score" else getattr(curve, of)(at)
    return [(x, y) for x, y in zip(at.tolist(), values.tolist(), strict=True) if math.isfinite(y)]
