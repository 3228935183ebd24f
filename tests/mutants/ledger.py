"""Breaks of the ledger: its filter, and what it writes."""

from tests.mutants.mutant import Mutant

AMOUNTS = "tests/privacy/test_amounts.py"
BUDGET = "tests/privacy/test_budget.py"
FILTER = "tests/privacy/test_filter.py"
LEDGER = "tests/privacy/test_ledger.py"
ENTRIES = "tests/privacy/test_entries.py"
REFUSALS = "tests/privacy/test_refusals.py"

MUTANTS = [
    Mutant(
        "a filter that spends the delta of the conversion twice",
        "privacy/budget.py",
        "self.budget.delta - self.conversion - spent.delta",
        "self.budget.delta - spent.delta",
        BUDGET,
    ),
    Mutant(
        "a filter that looks at delta on no route",
        "privacy/budget.py",
        "left.delta >= 0 and any",
        "any",
        FILTER,
    ),
    Mutant(
        "a loss without epsilon is free on the epsilon route",
        "privacy/amounts.py",
        "return None if one is None or other is None else one + other",
        "return None if one is None and other is None else (one or 0) + (other or 0)",
        AMOUNTS,
    ),
    Mutant(
        "delta is charged to nobody",
        "privacy/amounts.py",
        "PureDP(loss.epsilon).as_zcdp().rho, loss.delta)",
        "PureDP(loss.epsilon).as_zcdp().rho, Fraction(0))",
        AMOUNTS,
    ),
    Mutant(
        "an approximate loss is charged the rho of bounded range",
        "privacy/amounts.py",
        "cls(loss.epsilon, PureDP(loss.epsilon).as_zcdp().rho",
        "cls(loss.epsilon, BoundedRange(loss.epsilon).as_zcdp().rho",
        AMOUNTS,
    ),
    Mutant(
        "the limit on rho is the first power of two too large",
        "privacy/budget.py",
        "low, step = Fraction(2) ** power,",
        "low, step = Fraction(2) ** over,",
        BUDGET,
    ),
    Mutant(
        "any limit on rho is believed",
        "privacy/budget.py",
        "ZCDP(self.limit).as_approx(kept).epsilon <= self.budget.epsilon",
        "True",
        BUDGET,
    ),
    Mutant(
        "more delta is kept than there is",
        "privacy/budget.py",
        "if not 0 <= kept <= budget.delta:",
        "if not 0 <= kept:",
        BUDGET,
    ),
    Mutant(
        "a suggestion that was never tried",
        "privacy/budget.py",
        "if fits(middle * step) else",
        "if fits((middle - 1) * step) else",
        BUDGET,
    ),
    Mutant(
        "a route that is overdrawn stays open",
        "privacy/budget.py",
        "part is None or part > whole else whole - part",
        "part is None else whole - part",
        BUDGET,
    ),
    Mutant(
        "a budget of bounded range",
        "privacy/budget.py",
        "if isinstance(budget, BoundedRange):",
        "if False:",
        BUDGET,
    ),
    Mutant(
        "a debit checks the new loss alone",
        "privacy/ledger.py",
        "self._terms.allow(spent := before + cost)",
        "self._terms.allow(cost) and (spent := before + cost)",
        LEDGER,
    ),
    Mutant(
        "a debit is written and checked by nobody",
        "privacy/ledger.py",
        "if not self._terms.allow(spent := before + cost):",
        "if (spent := before + cost) is None:",
        LEDGER,
    ),
    Mutant(
        "whom a release protects is not compared",
        "privacy/ledger.py",
        "        protects(self._terms, self._book.place, neighbors, unit, owned, name)\n",
        "",
        LEDGER,
    ),
    Mutant(
        "fewer contributions than the ledger's are taken",
        "privacy/refusals.py",
        "if contributions < terms.least:",
        "if contributions > terms.least:",
        REFUSALS,
    ),
    Mutant(
        "another unit is taken",
        "privacy/refusals.py",
        'if label("unit", unit) != terms.unit:',
        "if False:",
        REFUSALS,
    ),
    Mutant(
        "another relation is taken",
        "privacy/refusals.py",
        "if not isinstance(neighbors, str) or neighbors != terms.neighbors:",
        "if not isinstance(neighbors, str):",
        REFUSALS,
    ),
    Mutant(
        "another dataset's releases are taken",
        "privacy/refusals.py",
        "terms.name not in (None, said)",
        "False",
        REFUSALS,
    ),
    Mutant(
        "a second budget replaces the first",
        "privacy/refusals.py",
        'a_loss(budget, "budget") != terms.budget',
        'a_loss(budget, "budget") is None',
        REFUSALS,
    ),
    Mutant(
        "a pickle opens whatever stands in its place",
        "privacy/ledger.py",
        "if opening is None or opening.hash != ledger:",
        "if opening is None:",
        LEDGER,
    ),
    Mutant(
        "seals are not checked",
        "privacy/entries.py",
        "if not sealed:",
        "if False:",
        ENTRIES,
    ),
    Mutant(
        "entries need not follow each other",
        "privacy/entries.py",
        "if written != row.body:",
        "if False:",
        ENTRIES,
    ),
    Mutant(
        "entries may be missing",
        "privacy/entries.py",
        "if row.number != number:",
        "if row.number < number:",
        ENTRIES,
    ),
    Mutant(
        "totals are believed as written",
        "privacy/entries.py",
        "spent = total + entry.cost",
        "spent = entry.spent",
        ENTRIES,
    ),
    Mutant(
        "verify allows what the filter would not",
        "privacy/entries.py",
        "or not terms.allow(spent):",
        "or False:",
        ENTRIES,
    ),
    Mutant(
        "verify believes any charge",
        "privacy/entries.py",
        "or not _charged(entry)",
        "or False",
        ENTRIES,
    ),
    Mutant(
        "a newer format is read as if it were the first",
        "privacy/entries.py",
        "if version != FORMAT:",
        "if False:",
        ENTRIES,
    ),
    Mutant(
        "numbers are written as floats",
        "privacy/entries.py",
        "return None if value is None else str(value)",
        "return None if value is None else str(float(value))",
        ENTRIES + "::test_every_loss_and_any_text_is_read_back_as_it_was",
    ),
]
