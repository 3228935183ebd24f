"""The questions as functions: data in, one paid and private answer out.

All take the same keywords, in the same order. ``bounds`` and ``epsilon`` have no default and are never read off the
data. Each function is one statistic handed to `release`.
"""

from typing import Any

import numpy as np

from noisewise.columns import Neighbors
from noisewise.exact import Number
from noisewise.lattice import Bounds
from noisewise.mechanisms import Chosen
from noisewise.receipt import Release
from noisewise.release import Payer, release
from noisewise.statistics import Quantile


def quantile(
    data: Any,
    q: Number | str,
    *,
    bounds: Bounds,
    epsilon: Number,
    granularity: Number | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int | np.integer[Any] = 1,
    mechanism: Chosen = "auto",
    ledger: Payer | None = None,
) -> Release:
    """A private q-quantile of a column of numbers: an order statistic, of rank max(1, ceil(q*n)).

    Args:
        data: A one-dimensional array, list or series of numbers. Missing values are left out under add/remove. In a
            list, anything that is no number counts as missing, text such as ``"41"`` too.
        q: The quantile, between 0 and 1: a number, or text such as ``"1/3"``.
        bounds: The lowest and highest possible answer, known without looking at the data. Records outside are clamped.
        epsilon: The privacy loss of this release, above 0 and at most 64. Smaller is more private and less accurate.
        granularity: The spacing of possible answers. By default 1 between whole-number bounds, else a fine power of
            two. Coarser is more accurate on data that repeats itself.
        neighbors: ``"add_remove"`` hides whether a person is in the data; ``"swap"`` hides what their record says.
        contributions: How many records one person may own, your promise.
        mechanism: ``"auto"``, a mechanism's name, or a mechanism such as ``PiecewiseLaplace(epsilon=1)``.
        ledger: Where the loss is paid from, before the data is read: any object with a ``debit`` method.

    Examples:
        >>> nws.quantile(incomes, 0.9, bounds=(0, 1_000_000), epsilon=1.0, granularity=100)
    """
    return release(
        Quantile(q),
        data,
        bounds=bounds,
        epsilon=epsilon,
        granularity=granularity,
        neighbors=neighbors,
        contributions=contributions,
        mechanism=mechanism,
        ledger=ledger,
    )


def median(
    data: Any,
    *,
    bounds: Bounds,
    epsilon: Number,
    granularity: Number | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int | np.integer[Any] = 1,
    mechanism: Chosen = "auto",
    ledger: Payer | None = None,
) -> Release:
    """A private median of a column of numbers: the middle value; of two middle ones, the lower.

    Args:
        data: A one-dimensional array, list or series of numbers. Missing values are left out under add/remove. In a
            list, anything that is no number counts as missing, text such as ``"41"`` too.
        bounds: The lowest and highest possible answer, known without looking at the data. Records outside are clamped.
        epsilon: The privacy loss of this release, above 0 and at most 64. Smaller is more private and less accurate.
        granularity: The spacing of possible answers. By default 1 between whole-number bounds, else a fine power of
            two. Coarser is more accurate on data that repeats itself.
        neighbors: ``"add_remove"`` hides whether a person is in the data; ``"swap"`` hides what their record says.
        contributions: How many records one person may own, your promise.
        mechanism: ``"auto"``, a mechanism's name, or a mechanism such as ``PiecewiseLaplace(epsilon=1)``.
        ledger: Where the loss is paid from, before the data is read: any object with a ``debit`` method.

    Examples:
        >>> nws.median(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return quantile(
        data,
        "1/2",
        bounds=bounds,
        epsilon=epsilon,
        granularity=granularity,
        neighbors=neighbors,
        contributions=contributions,
        mechanism=mechanism,
        ledger=ledger,
    )


def min(
    data: Any,
    *,
    bounds: Bounds,
    epsilon: Number,
    granularity: Number | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int | np.integer[Any] = 1,
    mechanism: Chosen = "auto",
    ledger: Payer | None = None,
) -> Release:
    """A private minimum of a column of numbers.

    Args:
        data: A one-dimensional array, list or series of numbers. Missing values are left out under add/remove. In a
            list, anything that is no number counts as missing, text such as ``"41"`` too.
        bounds: The lowest and highest possible answer, known without looking at the data. Records outside are clamped.
        epsilon: The privacy loss of this release, above 0 and at most 64. Smaller is more private and less accurate.
        granularity: The spacing of possible answers. By default 1 between whole-number bounds, else a fine power of
            two. Coarser is more accurate on data that repeats itself.
        neighbors: ``"add_remove"`` hides whether a person is in the data; ``"swap"`` hides what their record says.
        contributions: How many records one person may own, your promise.
        mechanism: ``"auto"``, a mechanism's name, or a mechanism such as ``PiecewiseLaplace(epsilon=1)``.
        ledger: Where the loss is paid from, before the data is read: any object with a ``debit`` method.

    Examples:
        >>> nws.min(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return quantile(
        data,
        0,
        bounds=bounds,
        epsilon=epsilon,
        granularity=granularity,
        neighbors=neighbors,
        contributions=contributions,
        mechanism=mechanism,
        ledger=ledger,
    )


def max(
    data: Any,
    *,
    bounds: Bounds,
    epsilon: Number,
    granularity: Number | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int | np.integer[Any] = 1,
    mechanism: Chosen = "auto",
    ledger: Payer | None = None,
) -> Release:
    """A private maximum of a column of numbers.

    Args:
        data: A one-dimensional array, list or series of numbers. Missing values are left out under add/remove. In a
            list, anything that is no number counts as missing, text such as ``"41"`` too.
        bounds: The lowest and highest possible answer, known without looking at the data. Records outside are clamped.
        epsilon: The privacy loss of this release, above 0 and at most 64. Smaller is more private and less accurate.
        granularity: The spacing of possible answers. By default 1 between whole-number bounds, else a fine power of
            two. Coarser is more accurate on data that repeats itself.
        neighbors: ``"add_remove"`` hides whether a person is in the data; ``"swap"`` hides what their record says.
        contributions: How many records one person may own, your promise.
        mechanism: ``"auto"``, a mechanism's name, or a mechanism such as ``PiecewiseLaplace(epsilon=1)``.
        ledger: Where the loss is paid from, before the data is read: any object with a ``debit`` method.

    Examples:
        >>> nws.max(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return quantile(
        data,
        1,
        bounds=bounds,
        epsilon=epsilon,
        granularity=granularity,
        neighbors=neighbors,
        contributions=contributions,
        mechanism=mechanism,
        ledger=ledger,
    )
