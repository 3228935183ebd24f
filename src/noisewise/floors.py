"""Floors: the oldest version of each data library that the tests have run on. Data of an older one is refused.

An older library may read most records and fail at a single one, after the debit, which would tell about that record.
Versions are public, and so is the refusal, before anything is paid. `pyproject.toml` states the same floors for pip;
`make floors` runs the tests on them. Nothing is imported here but narwhals, and that when data is first met.
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
"""Further libraries that a library reads records with, and may import after the debit."""


def known(data: object) -> Any:
    """The data that a user gave, unwrapped where narwhals wraps it; a SchemaError where its library is too old."""
    import narwhals

    _check("narwhals")
    plain = narwhals.to_native(data, pass_through=True)
    modules = {str(each.__module__).partition(".")[0].lstrip("_") for each in type(plain).__mro__}
    for library in sorted(modules & set(FLOORS)):
        check_library(library)
    return plain


def check_library(library: str) -> None:
    """Refuse to read data with a library that is older than its floor, or that needs an older one."""
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
    """The version of the module where it is imported, else of the package that is installed."""
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
    """Compared once per process: a question about groups reads many frames."""
    return _numbers(version) < _numbers(floor)


def _numbers(version: str) -> tuple[int, ...]:
    """The first three numbers of a version, which may be shorter and may say more: 2.2, 4.1.0.dev1, 0+unknown."""
    numbers = re.match(r"\d+(\.\d+)*", version)
    return (*map(int, numbers[0].split(".") if numbers else ()), 0, 0, 0)[:3]
