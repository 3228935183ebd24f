"""Breaks of the ledger: its filter, and what it writes."""

from tests.mutants.mutant import Mutant

AMOUNTS = "tests/ledger/test_amounts.py"
BUDGET = "tests/ledger/test_budget.py"
FILTER = "tests/ledger/test_filter.py"
LEDGER = "tests/ledger/test_ledger.py"
ENTRIES = "tests/ledger/test_entries.py"
REFUSALS = "tests/ledger/test_refusals.py"

MUTANTS = [
    Mutant(
        "a filter that spends the delta of the conversion twice",
        "ledger/budget.py",
        "self.budget.delta - self.conversion - spent.delta",
        "self.budget.delta - spent.delta",
        BUDGET + "::test_an_approximate_budget_has_two_routes",
    ),
    Mutant(
        "a filter that looks at delta on no route",
        "ledger/budget.py",
        "left.delta >= 0 and any",
        "any",
        FILTER + "::test_an_adaptive_interaction_stays_within_an_approximate_budget",
    ),
    Mutant(
        "a loss without epsilon is free on the epsilon route",
        "ledger/amounts.py",
        "return None if one is None or other is None else one + other",
        "return None if one is None and other is None else (one or 0) + (other or 0)",
        AMOUNTS + "::test_a_sum_has_no_epsilon_once_one_part_has_none",
    ),
    Mutant(
        "delta is charged to nobody",
        "ledger/amounts.py",
        "PureDP(loss.epsilon).as_zcdp().rho, loss.delta)",
        "PureDP(loss.epsilon).as_zcdp().rho, Fraction(0))",
        AMOUNTS + "::test_each_kind_of_loss_has_its_price",
    ),
    Mutant(
        "an approximate loss is charged the rho of bounded range",
        "ledger/amounts.py",
        "cls(loss.epsilon, PureDP(loss.epsilon).as_zcdp().rho",
        "cls(loss.epsilon, BoundedRange(loss.epsilon).as_zcdp().rho",
        AMOUNTS + "::test_each_kind_of_loss_has_its_price",
    ),
    Mutant(
        "the limit on rho is the first power of two too large",
        "ledger/budget.py",
        "Fraction(2) ** (power - 52)",
        "Fraction(2) ** (power - 51)",
        BUDGET + "::test_the_part_kept_for_the_conversion_is_a_choice",
    ),
    Mutant(
        "any limit on rho is believed",
        "ledger/budget.py",
        "ZCDP(self.limit).as_approx(kept).epsilon <= self.budget.epsilon",
        "True",
        BUDGET + "::test_a_limit_that_the_conversion_does_not_allow_is_unsound",
    ),
    Mutant(
        "more delta is kept than there is",
        "ledger/budget.py",
        "if not 0 <= kept <= budget.delta:",
        "if not 0 <= kept:",
        BUDGET + "::test_terms_that_make_no_sense_are_refused",
    ),
    Mutant(
        "a suggestion that was never tried",
        "ledger/budget.py",
        "fits(count * step), DIGITS",
        "fits((count - 1) * step), DIGITS",
        BUDGET + "::test_what_remains_of_an_approximate_budget_would_fit",
    ),
    Mutant(
        "a route that is overdrawn stays open",
        "ledger/budget.py",
        "part is None or part > whole else whole - part",
        "part is None else whole - part",
        BUDGET + "::test_a_pure_budget_is_used_up_exactly",
    ),
    Mutant(
        "a budget of bounded range",
        "ledger/budget.py",
        "if isinstance(budget, BoundedRange):",
        "if False:",
        BUDGET + "::test_terms_that_make_no_sense_are_refused",
    ),
    Mutant(
        "a debit checks the new loss alone",
        "ledger/ledger.py",
        "self._terms.allow(spent := before + cost)",
        "self._terms.allow(cost) and (spent := before + cost)",
        LEDGER + "::test_a_release_carries_its_entry",
    ),
    Mutant(
        "a debit is written and checked by nobody",
        "ledger/ledger.py",
        "if not self._terms.allow(spent := before + cost):",
        "if (spent := before + cost) is None:",
        LEDGER + "::test_nobody_looks_when_the_budget_is_short",
    ),
    Mutant(
        "whom a release protects is not compared",
        "ledger/ledger.py",
        "        check_protection(self._terms, self._book.place, neighbors, unit, owned, name)\n",
        "",
        LEDGER + "::test_bad_arguments_of_a_debit_are_errors_before_anything_is_written",
    ),
    Mutant(
        "fewer contributions than the ledger's are taken",
        "ledger/refusals.py",
        "if contributions < terms.least:",
        "if contributions > terms.least:",
        REFUSALS + "::test_a_release_that_protects_others_is_refused",
    ),
    Mutant(
        "another unit is taken",
        "ledger/refusals.py",
        'if checked_label("unit", unit) != terms.unit:',
        "if False:",
        REFUSALS + "::test_a_release_that_protects_others_is_refused",
    ),
    Mutant(
        "another relation is taken",
        "ledger/refusals.py",
        "if not isinstance(neighbors, str) or neighbors != terms.neighbors:",
        "if not isinstance(neighbors, str):",
        REFUSALS + "::test_a_release_that_protects_others_is_refused",
    ),
    Mutant(
        "another dataset's releases are taken",
        "ledger/refusals.py",
        "terms.name not in (None, stated)",
        "False",
        REFUSALS + "::test_a_release_that_protects_others_is_refused",
    ),
    Mutant(
        "a second budget replaces the first",
        "ledger/refusals.py",
        'checked_loss(budget, "budget") != terms.budget',
        'checked_loss(budget, "budget") is None',
        REFUSALS + "::test_opening_by_other_terms_says_both",
    ),
    Mutant(
        "a pickle opens whatever stands in its place",
        "ledger/ledger.py",
        "if opening is None or opening.hash != ledger:",
        "if opening is None:",
        LEDGER + "::test_a_pickle_of_a_ledger_that_was_replaced_is_refused",
    ),
    Mutant(
        "seals are not checked",
        "ledger/entries.py",
        "if not sealed:",
        "if False:",
        ENTRIES + "::test_an_edited_entry_is_named",
    ),
    Mutant(
        "entries need not follow each other",
        "ledger/entries.py",
        "if written != row.body:",
        "if False:",
        ENTRIES + "::test_an_edited_entry_that_was_sealed_again_is_named_by_the_next",
    ),
    Mutant(
        "entries may be missing",
        "ledger/entries.py",
        "if row.number != number:",
        "if row.number < number:",
        ENTRIES + "::test_a_removed_entry_is_named",
    ),
    Mutant(
        "totals are believed as written",
        "ledger/entries.py",
        "spent = total + entry.cost",
        "spent = entry.spent",
        ENTRIES + "::test_a_last_entry_that_was_forged_is_judged_by_the_terms",
    ),
    Mutant(
        "verify allows what the filter would not",
        "ledger/entries.py",
        "or not terms.allow(spent):",
        "or False:",
        ENTRIES + "::test_a_last_entry_that_was_forged_is_judged_by_the_terms",
    ),
    Mutant(
        "verify believes any charge",
        "ledger/entries.py",
        "or not _charged(entry)",
        "or False",
        ENTRIES + "::test_a_last_entry_that_was_forged_is_judged_by_the_terms",
    ),
    Mutant(
        "a newer format is read as if it were the first",
        "ledger/entries.py",
        "if version != FORMAT:",
        "if False:",
        ENTRIES + "::test_a_last_entry_that_was_forged_is_judged_by_the_terms",
    ),
    Mutant(
        "numbers are written as floats",
        "ledger/entries.py",
        "return None if value is None else str(value)",
        "return None if value is None else str(float(value))",
        ENTRIES + "::test_every_loss_and_any_text_is_read_back_as_it_was",
    ),
]
