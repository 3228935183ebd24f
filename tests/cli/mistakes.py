"""What every mistake has in common: one line, nothing of Python, nothing of this library's inside."""

import re
from typing import Any

from tests.cli.running import invoke

INSIDE = (
    r"group_by|\bsource must|\bdata must|Dataset|Decimal|Fraction|timedelta|date\(|\bNone\b|\bTrue\b|PureDP|ApproxDP|"
    r"BoundedRange|max_groups|per_group|bounds_share|key_epsilon|private_bounds|\(-?\d+, |Traceback|internal error|"
    r"/stdin"
)


def told(code: int, *words: str, **more: Any) -> str:
    """What a command says that must fail with a code."""
    done = invoke(*words, **more)
    (line,) = done.stderr.splitlines()
    assert (done.exit_code, done.stdout) == (code, ""), line
    assert not re.search(INSIDE, line), line
    assert line.startswith("noisewise: ")
    return line
