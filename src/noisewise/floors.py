"""Floors: the oldest version of each data library that the tests run on. Data of an older library is refused.

An older library may read most records and fail at a single one after the debit, which would reveal that record. A
version is public, so the refusal is public, and it comes before the debit. `pyproject.toml` has the same floors for
pip, and `make floors` runs the tests on them. This module imports only narwhals, when it first sees data.
"""

import re
import sys
from functools import cache
from typing import Any

from noisewise.errors import SchemaError

FLOORS = {
    "duckdb": "1.5.6",
    "ibis-framework": "10.0.0",
    "narwhals": "2.10.2",
    "pandas": "2.2.0",
    "polars": "1.37.1",
    "pyarrow": "16.0.0",
    "pyspark": "4.0.0",
}
NEEDS = {"duckdb": ("pyarrow",), "pandas": ("pyarrow",), "pyspark": ("pandas", "pyarrow")}
"""Further libraries that a library needs to read records. It may import them after the debit."""


def known(data: object) -> Any:
    """The user's data without a wrapper of narwhals. A SchemaError is raised if its library is too old."""
    import narwhals

    _check("narwhals")
    native = narwhals.to_native(data, pass_through=True)
    modules = {str(each.__module__).partition(".")[0].lstrip("_") for each in type(native).__mro__}
    for library in sorted(modules & set(FLOORS)):
        check_library(library)
    return native


def check_library(library: str) -> None:
    """Refuse a library that is older than its floor, or needs another library that is."""
    for each in ("narwhals", library, *NEEDS.get(library, ())):
        _check(each)


def _check(library: str) -> None:
    version, floor = _version(library), FLOORS[library]
    if version is not None and _is_older(version, floor):
        raise SchemaError(
            library,
            f"must be of version {floor} or newer",
            got=version,
            why=f'pip install "{library}>={floor}"',
        ) from None


def _version(library: str) -> str | None:
    """The version of the module if it is imported, otherwise of the installed package."""
    version = getattr(sys.modules.get(library), "__version__", None)
    return str(version) if version is not None else _installed(library)


@cache
def _installed(library: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(library)
    except PackageNotFoundError:
        return None


@cache
def _is_older(version: str, floor: str) -> bool:
    """Whether a version is older. It is remembered, because a question about groups reads many frames."""
    return _numbers(version) < _numbers(floor)


def _numbers(version: str) -> tuple[int, ...]:
    """The first three numbers of a version such as 2.2, 4.1.0.dev1 or 0+unknown."""
    numbers = re.match(r"\d+(\.\d+)*", version)
    return (*map(int, numbers[0].split(".") if numbers else ()), 0, 0, 0)[:3]
