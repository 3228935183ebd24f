"""One worker runs all tests that share a server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants.gathered import MUTANTS, ROOT, slug
from tests.schedule import BROAD, CASES, FIRST, LAWS, POSTGRES, SERVERS, beyond, group, in_order, is_rest


def test_every_beginning_names_a_file() -> None:
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py")]
    beginnings = [each for each in (*POSTGRES, *FIRST, *SERVERS, *BROAD, *LAWS) if "/" in each]
    assert [each for each in beginnings if not any(file.startswith(each) for file in files)] == []


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("tests/kernel/laws/test_law.py::test_cost[0-1]", "tests/kernel/laws/test_law.py"),
        ("tests/tables/engines/test_bins.py::test_bins[polars]", "tests/tables/engines/test_bins.py"),
        ("tests/tables/engines/test_bins.py::test_bins[spark]", "spark"),
        ("tests/floors/test_every_question.py::test_groups[x-Spark]", "spark"),
        ("tests/tables/test_spark_text.py::test_it", "spark"),
        ("tests/ledger/books/test_postgres_book.py::TestBook::test_it[1]", "postgres"),
        ("tests/mutants/test_standing.py::test_it[spark]", "tests/mutants/test_standing.py"),
        *[
            (
                f"tests/mutants/test_mutants.py::test_the_suite_notices[{slug(mutant)}]",
                f"mutants of {mutant.file}",
            )
            for mutant in MUTANTS[:2]
        ],
    ],
)
def test_a_test_is_of_the_group_of_its_server_or_of_its_file(name: str, of: str) -> None:
    assert group(name) == of


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("tests/kernel/laws/test_law.py::test_cost[0-1]", False),
        ("tests/tables/engines/test_bins.py::test_bins[polars-1]", False),
        ("tests/tables/engines/test_bins.py::test_bins[duckdb-1]", True),
        ("tests/tables/engines/test_bins.py::test_bins[DuckDB]", True),
        ("tests/tables/engines/test_duckdb.py::test_it", True),
        ("tests/cli/test_mistakes.py::test_it", False),
        ("tests/cli/test_leaks.py::test_it[fine.csv]", True),
        ("tests/tables/test_spark_text.py::test_it", True),
        ("tests/ledger/books/test_postgres_book.py::TestBook::test_it[1]", True),
        ("tests/explorer/test_browser.py::test_it", True),
    ],
)
def test_make_test_leaves_servers_and_all_engines_but_one_to_the_rest(name: str, rest: bool) -> None:
    assert is_rest(name) == rest


def test_make_test_runs_a_few_cases_of_every_law() -> None:
    many = [f"tests/kernel/laws/test_law.py::test_it[{case}]" for case in range(3 * CASES)]
    few = [f"tests/kernel/laws/test_law.py::test_few[{case}]" for case in range(CASES)]
    other = [name.replace("laws", "questions") for name in many]
    left = beyond([*many, *few, *other])
    assert left == set(many) - set(many[::3]) and len(many) - len(left) == CASES


def test_the_groups_that_take_longest_come_first_and_no_test_is_lost() -> None:
    names = [
        "tests/a.py::b",
        "tests/ledger/books/test_postgres_book.py::x",
        "tests/a.py::spark",
        "tests/a.py::c",
    ]
    assert [names[place] for place in in_order(names)] == [names[2], names[1], names[0], names[3]]


SOME = """
import os, pathlib, pytest

@pytest.mark.parametrize("engine", ["polars", "spark"])
@pytest.mark.parametrize("number", range(4))
def test_it(engine, number):
    with open(os.environ["SEEN"], "a") as seen:
        print(pathlib.Path(__file__).name, engine, os.environ["PYTEST_XDIST_WORKER"], file=seen)
"""


def test_workers_are_handed_whole_groups(tmp_path: Path) -> None:
    """In a run of its own, with the installed pytest and pytest-xdist."""
    for name in ("test_one.py", "test_two.py"):
        (tmp_path / name).write_text(SOME)
    (tmp_path / "pytest.ini").write_text("[pytest]")
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "-p", "tests.schedule"]
    environment = os.environ | {"SEEN": str(tmp_path / "seen")}
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "-c", "pytest.ini", "."],
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    ran = [line.split() for line in (tmp_path / "seen").read_text().splitlines()]
    assert len(ran) == 16
    for group_ in ("test_one.py polars", "test_two.py polars", "spark"):
        workers = {worker for file, engine, worker in ran if f"{file} {engine}".endswith(group_)}
        assert len(workers) == 1, group_
