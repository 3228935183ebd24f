"""Metrics as functions: what they answer, in which range, and what they refuse."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from noisewise import BoundedRange, ParameterError, PureDP, Release, SchemaError
from noisewise.questions.functions import metrics

ROWS = 20_000
RNG = np.random.default_rng(0)
LABELS = RNG.random(ROWS) < 0.4
SCORES = RNG.normal(size=ROWS) + LABELS
CHANCES = 1 / (1 + np.exp(0.5 - SCORES))
Y = RNG.normal(50, 10, ROWS)
P = Y + RNG.normal(0, 5, ROWS)

QUESTIONS: list[tuple[Callable[..., Release], Any, Any, dict[str, Any], float, float]] = [
    (metrics.accuracy, LABELS, SCORES > 0.5, {}, np.mean((SCORES > 0.5) == LABELS), 0.01),
    (metrics.f1, LABELS, SCORES > 0.5, {}, 0.63, 0.02),
    (metrics.auc, LABELS, SCORES, {}, 0.76, 0.02),
    (metrics.log_loss, LABELS, CHANCES, {"bounds": (0, 8)}, 0.58, 0.05),
    (metrics.mae, Y, P, {"bounds": (0, 100)}, 5 * (2 / np.pi) ** 0.5, 0.3),
    (metrics.mse, Y, P, {"bounds": (0, 1000)}, 25.0, 4.0),
    (metrics.rmse, Y, P, {"bounds": (0, 50)}, 5.0, 0.5),
    (metrics.r2, Y, P, {"bounds": (0, 100)}, 0.75, 0.08),
]
ONE_EACH = pytest.mark.parametrize(
    ("ask", "y", "p", "asked", "expected", "error"), QUESTIONS, ids=[q[0].__name__ for q in QUESTIONS]
)


@ONE_EACH
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_the_answer_is_near(
    ask: Any, y: Any, p: Any, asked: Any, expected: float, error: float, neighbors: str
) -> None:
    found = ask(y, p, epsilon=8, neighbors=neighbors, **asked)
    assert abs(found.value - expected) < error
    assert found.statistic == ask.__name__
    assert found.private and isinstance(found.privacy, (BoundedRange, PureDP))


@ONE_EACH
def test_the_whole_signature_is_shown(
    ask: Any, y: Any, p: Any, asked: Any, expected: float, error: float
) -> None:
    names = list(inspect.signature(ask).parameters)
    assert names[:2] == ["y_true", "y_score" if ask is metrics.auc else "y_pred"]
    assert ("bounds" in names) == ("bounds" in asked)
    assert all(f"    {name}: " in ask.__doc__ for name in names)


@ONE_EACH
def test_rows_must_be_complete(ask: Any, y: Any, p: Any, asked: Any, expected: float, error: float) -> None:
    with pytest.raises(SchemaError, match=r"^columns must have the same number of rows$"):
        ask(y, p[1:], epsilon=1, **asked)
    with pytest.raises(SchemaError, match="must be"):
        ask(y, "text", epsilon=1, **asked)


@ONE_EACH
def test_contributions_and_lists(ask: Any, y: Any, p: Any, asked: Any, expected: float, error: float) -> None:
    found = ask([*y[:50].tolist(), None], [*p[:50].tolist(), 1], epsilon=1, contributions=3, **asked)
    assert found.contributions == 3
    low, high = asked.get("bounds", (0, 1))
    if ask is metrics.r2:
        low, high = -1, 1
    assert low <= found.value <= high
    assert low <= ask([], [], epsilon=1, **asked).value <= high


def test_the_floor_of_r2() -> None:
    found = metrics.r2(Y, -Y, bounds=(0, 100), epsilon=8, floor=0)
    assert 0 <= found.value < 0.5 and found.statistic == "r2(floor=0)"
    with pytest.raises(ParameterError, match="floor must be between -1000000 and 0, got 1"):
        metrics.r2(Y, P, bounds=(0, 100), epsilon=1, floor=1)
