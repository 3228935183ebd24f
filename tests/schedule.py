"""Which tests `make test` leaves to `make test-all`, and which tests run in one worker (`--dist loadgroup`).

The tests of a file stay together, so that their shared fixtures are made once. All tests on Spark are one group and all
tests on PostgreSQL another, so that each starts one server. All mutants of a file of the library share a process
(mutants/processes.py). The name of a test decides its group: pytest-xdist's own marks do nothing under pytest 9.2.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest

POSTGRES = (
    "tests/ledger/books/test_postgres",
    "tests/ledger/books/test_forks.py",
    "tests/cli/test_ledgers.py",
)
"""The beginnings of the names of files whose tests need a server."""
FIRST = ("spark", "postgres", "tests/test_benchmarks.py", "tests/test_typing.py")
"""The slowest groups, which start first."""

SERVERS = ("spark", "postgres", "tests/explorer/test_browser.py")
"""Groups that start a server or a browser. `make test` runs only their tests marked ``round_trip``."""
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
"""Parameters of tests that repeat on several engines or types of files. `make test` runs lazy Polars and CSV only."""
BROAD = (
    # these start a process for each test
    *(
        f"tests/cli/test_{name}.py"
        for name in ("app", "asks", "audits", "commands", "explore", "group_options")
    ),
    *(f"tests/cli/test_{name}.py" for name in ("input_file", "interrupt", "leaks", "output_file")),
    *(f"tests/cli/test_{name}.py" for name in ("plans", "screen", "studies", "summaries")),
    *(
        f"tests/study/test_{name}.py"
        for name in ("document_keys", "pricing", "python_code", "running", "searching")
    ),
    # these read files and engines of every type
    *("tests/tables/files/", "tests/tables/engines/test_duckdb", "tests/fuzz/", "tests/bridges/"),
    # these measure and plan, and draw no answer
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
"""The beginnings of the names of files that take minutes together and do not test laws, draws or debits."""

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
"""Files where a test may have dozens of cases. `make test` runs at most ``CASES`` of them, evenly spread."""


def is_rest(name: str) -> bool:
    """Whether `make test` leaves a test to `make test-all`, by its node id alone."""
    parameters = name.partition("[")[2].rstrip("]").casefold().split("-")
    return group(name) in SERVERS or name.startswith(BROAD) or not OTHER_ENGINES.isdisjoint(parameters)


def beyond(names: Iterable[str]) -> set[str]:
    """The cases that `make test` leaves to `make test-all`, since it runs enough other cases of the same test."""
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
    """The indices of names, with those of the slowest groups first and all others in their order."""
    ranks = [FIRST.index(own) if (own := group(name)) in FIRST else len(FIRST) for name in names]
    return sorted(range(len(ranks)), key=ranks.__getitem__)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadgroup`, give whole groups of tests to workers."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            """Forget a finished test: xdist counts all tests that it remembers, six times for each test."""
            super().mark_test_complete(node, item_index, duration)
            name, work = self.registered_collections[node][item_index], self.assigned_work[node]
            del work[group(name)][name]
            if not work[group(name)]:
                del work[group(name)]

    config.option.loadscopereorder = False  # groups are in order already
    return ByGroup(config, log)
