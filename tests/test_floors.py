"""A library below its floor is refused before the debit, by its version alone, and pip knows the same floors."""

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import narwhals
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise import floors
from noisewise.errors import SchemaError
from noisewise.floors import FLOORS, NEEDS, known
from tests.cli.running import invoke

ROOT = Path(__file__).parents[1]
TABLE = pa.table({"x": [1.0, 2.0, 3.0], "y": [3.0, 1.0, 2.0], "s": ["a", "b", None]})
FRAMES = {
    "pandas": lambda: TABLE.to_pandas(),
    "polars": lambda: pl.from_arrow(TABLE),
    "pyarrow": lambda: TABLE,
    "duckdb": lambda: duckdb.connect().from_arrow(TABLE),
}
READ_BY = [(library, old) for library in FRAMES for old in (library, "narwhals", *NEEDS.get(library, ()))]
ASKED: dict[str, Any] = {"bounds": (0, 10), "epsilon": 1}


@pytest.fixture
def ledger(tmp_path: Path) -> Any:
    with nws.Ledger.open(tmp_path / "ledger", budget=nws.PureDP(10)) as ledger:
        yield ledger


def age(monkeypatch: pytest.MonkeyPatch, library: str, version: str = "0.9") -> str:
    """Give a library an old version, and return the refusal to expect."""
    monkeypatch.setattr(import_module(library), "__version__", version)
    floor = FLOORS[library]
    return (
        rf'^{library} must be of version {floor} or newer, got {version}: pip install "{library}>={floor}"$'
    )


def required() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]


@pytest.mark.parametrize("library", FLOORS)
def test_pip_is_told_the_same_floor_wherever_a_library_is_named(library: str) -> None:
    said = [found[1] for each in required() if (found := re.match(rf"{library}(?:\[.*\])?>=([^,]*)", each))]
    assert said and set(said) == {FLOORS[library]}


FIXED = {
    "h11": "0.16.0",  # CVE-2025-43859
    "pyarrow": "14.0.1",  # CVE-2023-47248
    "starlette": "1.3.1",  # CVE-2024-47874, 2025-54121, 2025-62727, 2026-48710, 2026-48818, 2026-54282, 2026-54283
}
"""The first versions without published vulnerabilities in the parts that are used."""


@pytest.mark.parametrize("library", FIXED)
def test_no_floor_lies_below_the_fix_of_a_vulnerability(library: str) -> None:
    said = [found[1] for each in required() if (found := re.match(rf"{library}(?:\[.*\])?>=([^,]*)", each))]
    assert said and all(floors._numbers(each) >= floors._numbers(FIXED[library]) for each in said)


def test_libraries_of_data_all_have_a_floor() -> None:
    """The libraries with a floor, also those that engines use to read records. Each is in an extra or a dependency."""
    assert {each for others in NEEDS.values() for each in others} < set(FLOORS)
    assert set(NEEDS) < set(FLOORS)


@pytest.mark.parametrize(("library", "old"), READ_BY)
def test_a_table_of_an_old_library_is_refused_before_anything_is_paid(
    library: str, old: str, ledger: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, refused = FRAMES[library](), age(monkeypatch, old)
    with pytest.raises(SchemaError, match=refused):
        nws.Dataset(frame, ledger=ledger).median("x", **ASKED)
    assert len(ledger) == 0


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_so_is_a_column_whatever_it_is_asked_for(
    library: str, ledger: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, refused = FRAMES[library](), age(monkeypatch, library)
    numbers, labels, pair = frame["x"], frame["s"], frame[["x", "y"]] if library != "pyarrow" else frame
    questions = [
        lambda: nws.median(numbers, **ASKED, ledger=ledger),
        lambda: nws.most_common(labels, ["a", "b"], epsilon=1, ledger=ledger),
        lambda: nws.vector_mean(pair, **ASKED, ledger=ledger),
        lambda: nws.triangles(pair, nodes=4, epsilon=1, ledger=ledger),
    ]
    for question in questions:
        with pytest.raises(SchemaError, match=refused):
            question()
    assert len(ledger) == 0


def test_keys_of_an_old_library_are_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    staff, keys = nws.Dataset(pd.DataFrame({"s": ["a"]})), pl.DataFrame({"s": ["a"]})
    refused = age(monkeypatch, "polars")
    with pytest.raises(SchemaError, match=refused):
        staff.group_by("s", keys=keys)


@pytest.mark.parametrize(
    ("name", "old"),
    [("t.parquet", "polars"), ("t.parquet", "pyarrow"), ("t.csv", "duckdb"), ("t.csv", "narwhals")],
)
def test_files_are_not_read_by_an_old_library(
    name: str, old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / name
    frame = pl.from_arrow(TABLE)
    assert isinstance(frame, pl.DataFrame)
    (frame.write_parquet if name.endswith("parquet") else frame.write_csv)(file)
    refused = age(monkeypatch, old)
    with pytest.raises(SchemaError, match=refused):
        nws.Dataset.scan(file)
    done = invoke("median", file, "--column", "x", "--bounds", "0", "10", "--epsilon", "1")
    assert done.exit_code == 3 and f'pip install "{old}>={FLOORS[old]}"' in " ".join(done.stderr.split())


@pytest.mark.parametrize("version", ["2.2", "2.2.0", "2.2.0rc1", "2.10", "10.0.1", "2.2.0.dev0+3.gabc", "3"])
def test_versions_are_compared_as_numbers(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    age(monkeypatch, "pandas", version)
    known(pd.Series([1]))


@pytest.mark.parametrize("version", ["2.1.4", "1.99", "0+unknown", "?", "2"])
def test_whatever_is_below_the_floor_is_refused(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    age(monkeypatch, "pandas", version)
    with pytest.raises(SchemaError, match=r"^pandas must be of version 2\.2\.0 or newer, got "):
        known(pd.Series([1]))


def test_a_frame_of_somebodys_own_is_judged_by_what_it_is_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mine(pd.DataFrame):
        pass

    refused = age(monkeypatch, "pandas")
    with pytest.raises(SchemaError, match=refused):
        known(Mine({"x": [1]}))


def test_libraries_that_are_not_met_may_be_as_old_as_they_like(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"x": [1, 2, 3]})
    for library in ("pandas", "duckdb", "pyarrow"):
        age(monkeypatch, library)
    assert nws.Dataset(frame).median("x", **ASKED).value is not None
    assert nws.median([1, 2, 3], **ASKED).value is not None
    assert nws.median(np.arange(3), **ASKED).value is not None


def test_what_is_not_imported_yet_is_judged_by_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB imports PyArrow only when it returns records, which is after the debit."""
    relation = FRAMES["duckdb"]()
    monkeypatch.setitem(sys.modules, "pyarrow", ModuleType("pyarrow"))  # one that says no version
    monkeypatch.setattr(floors, "_installed", {"pyarrow": "15.0.0"}.get)
    with pytest.raises(SchemaError, match=r"^pyarrow must be of version 16\.0\.0 or newer, got 15\.0\.0"):
        known(relation)
    monkeypatch.setattr(floors, "_installed", {}.get)
    assert known(relation) is relation


def test_versions_of_packages_are_found() -> None:
    assert floors._installed("narwhals") == narwhals.__version__
    assert floors._installed("noisewise-has-no-such-neighbour") is None


@pytest.mark.parametrize("library", FRAMES)
def test_what_narwhals_wraps_is_taken_out(library: str) -> None:
    frame = FRAMES[library]()
    wrapped = narwhals.from_native(frame)
    assert known(wrapped) is frame
    assert nws.Dataset(wrapped).median("x", bounds=(0, 10), granularity=1, epsilon=60).value == 2


@pytest.mark.parametrize("old", ["pyspark", "pandas", "pyarrow"])
def test_spark_is_judged_with_what_it_hands_results_over_by(
    old: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = type("DataFrame", (), {"__module__": "pyspark.sql.connect.dataframe"})()
    assert known(frame) is frame
    refused = age(monkeypatch, old)
    with pytest.raises(SchemaError, match=refused):
        known(frame)


def test_data_of_any_other_library_needs_narwhals_too(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = age(monkeypatch, "narwhals")
    with pytest.raises(SchemaError, match=refused):
        nws.median(object(), **ASKED)


def test_judging_imports_nothing_but_narwhals() -> None:
    script = (
        "import sys, polars; from noisewise.floors import known; known(polars.Series([1]));"
        "print([m for m in ('pandas', 'pyarrow', 'duckdb', 'pyspark') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
