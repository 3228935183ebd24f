"""A nursery for mutants: one process that has imported what every test needs, and forks for each mutant.

Starting Python, pytest and NumPy anew takes longer than most mutants live. What is imported here knows nothing of
noisewise, so that a child imports the broken copy and nothing else.
"""

import json
import os
import sys
import traceback
from pathlib import Path

READY = [
    *("numpy", "pytest", "_pytest.assertion.rewrite", "hypothesis", "flint", "narwhals", "pandas"),
    *("scipy.stats", "duckdb", "typer.testing", "psycopg", "networkx", "igraph"),
]


def main() -> None:
    """Serve requests, a line of JSON each: the copy's folder, the tests to run, and where to write what they print."""
    for name in READY:
        __import__(name)
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            live(**request)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def live(source: str, tests: list[str], output: str) -> None:
    """The life of one mutant: the tests named beside it, against the broken copy."""
    import pytest

    out = os.open(output, os.O_WRONLY | os.O_CREAT, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.setsid()
    code = 99
    try:
        compiled = f"{source}_compiled"  # of the tests, too, and for all mutants of a worker
        os.environ |= {"PYTHONPATH": source, "PYTHONPYCACHEPREFIX": compiled}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode, sys.pycache_prefix = False, compiled
        sys.path[:] = [source, *sys.path[1:]]
        assert not [name for name in sys.modules if name.partition(".")[0] in ("noisewise", "tests")]
        quiet = ["-q", "-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is there already
        code = int(pytest.main(["-x", *quiet, "-p", "no:cacheprovider", "-p", "no:xdist", *tests]))
        print(f"of {Path(sys.modules['noisewise'].__file__ or '').parent}", flush=True)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
