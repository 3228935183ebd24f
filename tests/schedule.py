"""Which tests `make test` leaves to `make test-all`, and which share one worker (`--dist loadgroup`).

Tests of one file stay together, so that what they share is made once. All that is asked of Spark is one group, all on
PostgreSQL another, each of which starts one server; and all mutants of one file of the library share a process
(mutants/processes.py). Groups are read off the names of tests: pytest-xdist's own marks do nothing under pytest 9.2.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest

POSTGRES = (
    *("tests/ledger/books/test_postgres", "tests/ledger/books/test_forks.py"),
    *("tests/cli/test_codes.py", "tests/cli/test_ledgers.py"),
)
"""Beginnings of the names of files whose tests ask for a server."""
FIRST = ("spark", "postgres", "tests/test_benchmarks.py", "tests/test_typing.py")
"""Groups that take longest, and so begin first."""

SERVERS = ("spark", "postgres", "tests/explorer/test_browser.py")
"""Groups that start a server or a browser. `make test` runs their tests that are marked ``round_trip``."""
OTHER_ENGINES = frozenset(
    (
        "duckdb",
        "spark",
        "postgres",
        "postgresql",
        "pandas of arrow",
        "pyarrow",
        "tsv",
        "jsonl",
        "parquet",
        "arrow",
    )
)
"""Parameters of tests that ask the same on several engines or kinds of files. `make test` asks lazy Polars and CSV."""
BROAD = (
    # start a process for every test
    *(
        f"tests/cli/test_{name}.py"
        for name in ("app", "asks", "audits", "commands", "explore", "group_options")
    ),
    *(f"tests/cli/test_{name}.py" for name in ("input_file", "interrupt", "leaks", "output_file")),
    *(f"tests/cli/test_{name}.py" for name in ("plans", "screen", "studies", "summaries")),
    *(f"tests/study/test_{name}.py" for name in ("keys", "pricing", "python_code", "running", "searching")),
    # read files and engines of every kind
    *("tests/tables/files/", "tests/tables/engines/test_duckdb", "tests/fuzz/", "tests/bridges/"),
    # measure, plan and analyse; nothing of it draws an answer
    *(
        "tests/audit/test_black_box_audit.py",
        "tests/audit/test_exact_audit.py",
        "tests/paper/test_density.py",
        "tests/paper/test_radial.py",
    ),
    *(
        "tests/planning/test_every_question.py",
        "tests/questions/test_measured.py",
        "tests/planning/test_simulate.py",
    ),
    *("tests/ledger/test_curves.py", "tests/ledger/test_optimal.py"),
)
"""Beginnings of the names of files that take minutes together and are far from laws, draws and debits."""

CASES = 3
LAWS = tuple(
    f"tests/{name}"
    for name in (
        *(
            "audit/",
            "kernel/laws/",
            "kernel/mechanisms/",
            "kernel/numbers/",
            "kernel/sampling/",
            "kernel/test_losses",
            "ledger/test_",
            "planning/",
            "questions/composites/",
        ),
        *(
            "statistics/",
            "tables/",
            "dataset/test_batch",
            "dataset/test_intervals",
            "questions/test_search",
        ),
        *("attacks/test_order", "attacks/test_score_ends", "attacks/test_trimmed", "attacks/test_variance"),
    )
)
"""Where a test may have dozens of cases. `make test` runs at most ``CASES`` of them, evenly spread; `make test-all` the
others."""


def is_rest(name: str) -> bool:
    """Whether `make test` leaves a test to `make test-all`, as far as its node id tells."""
    parameters = name.partition("[")[2].rstrip("]").casefold().split("-")
    return group(name) in SERVERS or name.startswith(BROAD) or not OTHER_ENGINES.isdisjoint(parameters)


def beyond(names: Iterable[str]) -> set[str]:
    """The cases of laws that `make test` leaves to `make test-all`, as it runs enough others of the same test."""
    cases: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if name.startswith(LAWS):
            cases[name.partition("[")[0]].append(name)
    return {name for each in cases.values() for name in set(each) - set(each[:: -(-len(each) // CASES)])}


def group(name: str) -> str:
    """The group of a test, by its node id."""
    file = name.partition("::")[0]
    if file == "tests/mutants/test_mutants.py":
        from tests.mutants.gathered import file_of

        return f"mutants of {file_of(name.partition('[')[2].rstrip(']'))}"
    if file.startswith(POSTGRES) or ("postgres" in name.lower() and not file.startswith("tests/mutants/")):
        return "postgres"
    return "spark" if "spark" in name.lower() and not file.startswith("tests/mutants/") else file


def in_order(names: Iterable[str]) -> list[int]:
    """The places of names, such that groups that take longest stand first and every other test where it stood."""
    ranks = [FIRST.index(found) if (found := group(name)) in FIRST else len(FIRST) for name in names]
    return sorted(range(len(ranks)), key=ranks.__getitem__)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadgroup`, hand out tests by the groups of groups.py."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            """Forget a test that is done: xdist counts all that it remembers, six times for every test."""
            super().mark_test_complete(node, item_index, duration)
            name, work = self.registered_collections[node][item_index], self.assigned_work[node]
            del work[group(name)][name]
            if not work[group(name)]:
                del work[group(name)]

    config.option.loadscopereorder = False  # groups are in order already
    return ByGroup(config, log)
