"""The explorer in a real browser: seconds from opening its address to the first answer on the page.

    python benchmarks/explorer.py [--quick]

Chromium is driven by Playwright, as in the tests; without one the report is empty. The clock starts before the browser
is told the address and stops when all pictures are there. The first page of a process is the slowest: it loads what
the library loads on first use.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from measure import progress
from reporting import Report, Table, Target, number, run_alone

sys.path.append(str(Path(__file__).parents[1]))
PAGES = {
    "the first page: a median of 200 records of a shape": "",
    "the same page again": "",
    "a mean of 10,000 records": "question=mean&granularity=&n=10000",
    "a Gini coefficient of 1,000 records": "question=gini&granularity=&n=1000",
    "a wanted error turned into an epsilon": "goal=500",
}
LIMIT = 2.0
"""Seconds that the first answer may take."""


def report(quick: bool = False) -> Report:
    seconds = _seconds(dict(list(PAGES.items())[: 1 if quick else None]))
    targets = [Target(f"{what}: seconds", LIMIT, found) for what, found in list(seconds.items())[:1]]
    rows = [(what, number(found)) for what, found in seconds.items()]
    table = Table("Explorer: seconds until the answer is on the page", ("page", "seconds"), rows)
    records = [{"what": what, "seconds": found} for what, found in seconds.items()]
    return Report("explorer", [table], [] if quick else targets, records)


def _seconds(pages: dict[str, str]) -> dict[str, float]:
    try:
        from tests.explorer.browser import launched, serving
        from tests.programs import CHROMIUM
    except ImportError:  # the explorer's packages, or Playwright
        return {}
    if CHROMIUM.find() is None:
        return {}
    found = {}
    with serving() as address, launched() as browser:
        for what, query in pages.items():
            progress(f"explorer: {what}")
            page = browser.new_page()
            found[what] = _clocked(lambda page=page, query=query: _opened(page, f"{address}?{query}"))
            page.close()
    return found


def _opened(page: object, address: str) -> None:
    page.goto(address)  # type: ignore[attr-defined]
    page.locator("#result svg").nth(2).wait_for()  # type: ignore[attr-defined]


def _clocked(step: Callable[[], None]) -> float:
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


if __name__ == "__main__":
    run_alone(report, __doc__)
