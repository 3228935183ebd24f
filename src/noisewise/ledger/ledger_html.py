"""A ledger as a picture and as HTML: how much of the budget was spent, and when."""

from collections.abc import Sequence
from datetime import datetime
from itertools import accumulate

from noisewise.kernel.losses import ZCDP
from noisewise.ledger.amounts import NOTHING, Amount
from noisewise.ledger.budget import Terms
from noisewise.ledger.ledger_report import HEADER, Report
from noisewise.results.pictures.charts import growing
from noisewise.results.pictures.html import drawing, facts_table, fragment, heading, paragraph, table
from noisewise.results.pictures.svg import Picture

MOST_STEPS = 300
"""How many entries are drawn one by one; of more, some are left out between the first and the last."""

SHOWN = 10
"""How many entries a notebook shows."""


def budget_picture(terms: Terms, opened: str, spent: Sequence[tuple[str, Amount]]) -> Picture:
    """What was spent after each entry, from its time and the totals it wrote down."""
    symbol = "ρ" if isinstance(terms.budget, ZCDP) else "ε"
    every = -(-len(spent) // MOST_STEPS) or 1
    points = [(opened, NOTHING), *spent[::every]]
    if spent and spent[-1] != points[-1]:
        points.append(spent[-1])
    return growing(
        [_number(terms, total) for _, total in points],
        _limit(terms),
        title=f"{symbol} spent of the budget",
        ends=(points[0][0][:16].replace("T", " "), points[-1][0][:16].replace("T", " ")),
        times=_times([time for time, _ in points]),
        note=f"{terms.budget}; {len(spent):,} {'entry' if len(spent) == 1 else 'entries'}",
    )


def ledger_html(report: Report, picture: Picture) -> str:
    """A ledger, as a notebook shows it: the budget, its picture and the last entries."""
    rows, right = report.rows[-SHOWN:], [True, False, True, True, True, False]
    cut = [paragraph(f"the last {SHOWN} of {len(report.rows):,} entries")] if len(report.rows) > SHOWN else []
    entries = [table(HEADER, rows, right), *cut] if rows else []
    return fragment([heading("Ledger", 4), facts_table(report.facts), drawing(picture), *entries])


def _times(texts: Sequence[str]) -> list[float]:
    """Seconds that never fall, as clocks may; none where all are within a minute, and steps are drawn side by side."""
    seconds = [datetime.fromisoformat(text).timestamp() // 1 for text in texts]
    rising = list(accumulate(seconds, max))
    return rising if rising[-1] - rising[0] >= 60 else []


def _number(terms: Terms, total: Amount) -> float:
    spent = terms.spent(total)
    return float(spent.rho if isinstance(spent, ZCDP) else spent.epsilon)


def _limit(terms: Terms) -> float:
    budget = terms.budget
    return float(budget.rho if isinstance(budget, ZCDP) else budget.epsilon)
