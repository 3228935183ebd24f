"""The report of a ledger: what was spent, what remains, and the history.

It is a text, a picture of the spending over time, and HTML for notebooks.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from itertools import accumulate
from typing import Any

from noisewise.errors import ParameterError
from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP, parameter
from noisewise.kernel.numbers.exact import Number, describe, spell
from noisewise.ledger.amounts import NOTHING, Amount, Budget, above, below, rest, worth
from noisewise.ledger.budget import Terms
from noisewise.ledger.entries import Entry, amount_to_dict
from noisewise.results.pictures.charts import growing
from noisewise.results.pictures.html import drawing, facts_table, fragment, heading, paragraph, table
from noisewise.results.pictures.svg import Picture

HEADER = ("entry", "time", "ε", "ρ", "δ", "memo")


class Report(str):
    """A ledger's report: a text, with the same facts as a dictionary."""

    __slots__ = ("_record", "facts", "rows")
    _record: dict[str, Any]
    facts: tuple[tuple[str, str], ...]
    """The names and texts of the facts above the history."""
    rows: tuple[tuple[str, ...], ...]
    """A row for each entry: its number, its time, its charge in each currency, and its memo."""

    @classmethod
    def of(
        cls,
        terms: Terms,
        ledger: str,
        opened: str,
        place: str,
        entries: Iterable[Entry],
        delta: Number | None = None,
    ) -> "Report":
        """The report of entries, which are read once. If the budget is in zCDP, it also says its worth at ``delta``."""
        chance = None if delta is None else _chance(delta, terms.budget)
        total, history = NOTHING, list[dict[str, Any]]()
        lines = list[tuple[str, ...]]()
        for entry in entries:
            total = entry.spent
            cost = amount_to_dict(entry.cost)
            history.append(
                {
                    "number": entry.number,
                    "time": entry.time,
                    "memo": entry.memo,
                    "cost": cost,
                    "hash": entry.hash,
                }
            )
            shown = ["" if n is None else above(n) for n in (entry.cost.epsilon, entry.cost.rho)]
            lines.append((str(entry.number), entry.time, *shown, above(entry.cost.delta), _plain(entry.memo)))
        spent, remaining = terms.spent(total), terms.remaining(total)
        facts = {
            "ledger": f"{_plain(place)}, opened {opened}",
            "name": _plain(terms.name or ""),
            "budget": terms.budget,
            "protects": _protects(terms),
            "spent": _spent(spent),
            "remaining": _remaining(terms, total),
            "kept aside": _kept(terms, spent, total),
            "worth": ""
            if chance is None
            else f"{_worth(terms.budget, chance)}; spent {_worth(spent, chance)}",
            "entries": f"{len(history):,}",
        }
        table = ["", *_table([HEADER, *lines])] if lines else []
        report = cls("\n".join([*(f"{name:<10} {fact}" for name, fact in facts.items() if fact), *table]))
        report.facts = tuple((name, str(fact)) for name, fact in facts.items() if fact)
        report.rows = tuple(lines)
        report._record = {
            "ledger": ledger,
            "place": place,
            "opened": opened,
            "name": terms.name,
            "neighbors": terms.neighbors,
            "unit": terms.unit,
            "contributions": terms.contributions,
            "budget": terms.budget.to_dict(),
            "conversion_delta": None if terms.conversion is None else spell(terms.conversion),
            "spent": spent.to_dict(),
            "remaining": remaining.to_dict(),
            **({} if chance is None else {"worth": _worths(terms.budget, spent, chance)}),
            "entries": history,
        }
        return report

    def __repr__(self) -> str:
        return str(self)

    def to_dict(self) -> dict[str, Any]:
        """The whole report, ready for JSON, with exact numbers as text."""
        return dict(self._record)


def _chance(delta: Number, budget: Budget) -> Fraction:
    """The delta at which the worth of a budget is asked. Raises unless it is above 0, and the budget is in zCDP."""
    if not isinstance(budget, ZCDP):
        raise ParameterError(
            "delta", "must be left out, as the budget is not in zCDP", got=describe(delta)
        ) from None
    chance = parameter("delta", delta)
    if chance == 0:
        raise ParameterError("delta", "must be above 0", got=describe(delta)) from None
    return chance


def _worth(loss: Budget, delta: Fraction) -> str:
    return worth(loss.as_zcdp().rho, delta)


def _worths(budget: Budget, spent: Budget, delta: Fraction) -> dict[str, Any]:
    return {"budget": budget.as_approx(delta).to_dict(), "spent": spent.as_approx(delta).to_dict()}


def _spent(spent: Budget) -> str:
    """What was spent, rounded up. If the budget has a delta, the ledger promises the budget, not what was counted."""
    if isinstance(spent, ZCDP):
        return _most("ρ", spent.rho)
    if isinstance(spent, PureDP):
        return _most("ε", spent.epsilon)
    return f"{_most('ε', spent.epsilon)}, {_most('δ', spent.delta)}, as counted; the promise is the budget"


def _most(symbol: str, value: Fraction) -> str:
    shown = above(value)
    return f"{symbol} {'=' if Fraction(shown) == value else '≤'} {shown}"


def _remaining(terms: Terms, total: Amount) -> str:
    """What remains. For an ``ApproxDP`` budget it is the largest release that would fit."""
    budget, remaining = terms.budget, terms.remaining(total)
    if not isinstance(budget, ApproxDP) or not isinstance(remaining, ApproxDP):
        return rest(terms.left(total), budget)
    return (
        f"ε {below(remaining.epsilon)} of {above(budget.epsilon)}, "
        f"δ {below(remaining.delta)} of {above(budget.delta)}"
    )


def _kept(terms: Terms, spent: Budget, total: Amount) -> str:
    """The part of delta that is kept for the conversion, and whether the total counts it as spent."""
    if not terms.conversion:
        return ""
    counted = ", counted as spent" if isinstance(spent, ApproxDP) and spent.delta > total.delta else ""
    return f"{_most('δ', terms.conversion)}, for adding up in zCDP{counted}"


def _protects(terms: Terms) -> str:
    owner = f"one {_plain(terms.unit or 'record')}"
    if terms.neighbors == "swap":
        return f"{owner}, replaced by any other"
    if terms.unit not in (None, "edge", "node"):
        return f"{owner} with all its records, added or removed"
    if terms.contributions == 1:
        return f"{owner}, added or removed"
    return f"one person, added or removed, who has at most {terms.contributions} {terms.unit or 'record'}s"


def _plain(text: str) -> str:
    """The text on one line, without control characters of a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _table(lines: list[tuple[str, ...]]) -> list[str]:
    """Lines with aligned columns: numbers to the right, text to the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if name in ("time", "memo") else cell.rjust(width)
            for name, cell, width in zip(HEADER, line, widths, strict=True)
        ).rstrip()
        for line in lines
    ]


MOST_STEPS = 300
"""The most entries in the picture. If there are more, some between the first and the last are left out."""

SHOWN = 10
"""The number of entries that a notebook shows."""


def budget_picture(terms: Terms, opened: str, spent: Sequence[tuple[str, Amount]]) -> Picture:
    """The picture of the totals after each entry, given its time and totals."""
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
    """The HTML of a ledger for a notebook: its facts, its picture and the last entries."""
    rows, right = report.rows[-SHOWN:], [True, False, True, True, True, False]
    cut = [paragraph(f"the last {SHOWN} of {len(report.rows):,} entries")] if len(report.rows) > SHOWN else []
    entries = [table(HEADER, rows, right), *cut] if rows else []
    return fragment([heading("Ledger", 4), facts_table(report.facts), drawing(picture), *entries])


def _times(texts: Sequence[str]) -> list[float]:
    """Times in seconds. They never fall, even if a clock was set back.

    If all times lie within a minute the list is empty, and the steps of the picture have equal widths.
    """
    seconds = [datetime.fromisoformat(text).timestamp() // 1 for text in texts]
    rising = list(accumulate(seconds, max))
    return rising if rising[-1] - rising[0] >= 60 else []


def _number(terms: Terms, total: Amount) -> float:
    spent = terms.spent(total)
    return float(spent.rho if isinstance(spent, ZCDP) else spent.epsilon)


def _limit(terms: Terms) -> float:
    budget = terms.budget
    return float(budget.rho if isinstance(budget, ZCDP) else budget.epsilon)
