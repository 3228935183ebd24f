"""Breaks of the chain: which rows follow which, who has seen them, and what receipts say of them."""

from tests.mutants.ledger import ENTRIES, LEDGER
from tests.mutants.mutant import Mutant

CHAIN = "tests/ledger/test_chain.py"
FORGERIES = "tests/ledger/books/test_sqlite_book.py::TestForgeries"
RECEIPTS = "tests/ledger/test_ledger_receipts.py"
SPENDING = "tests/ledger/test_spending.py"

MUTANTS = [
    Mutant(
        "rows need not begin where the last ones ended",
        "ledger/chain.py",
        "if (first := next(following, None)) != point.row:",
        "if (first := next(following, None)) is None:",
        CHAIN + "::test_rows_that_do_not_begin_with_the_one_last_seen_are_refused",
    ),
    Mutant(
        "a new process starts from the last row",
        "ledger/ledger.py",
        "self._seen = seen = self._chain.reach(self._book.rows(seen.row.number), seen)",
        "self._seen = seen = Point(self._book.last(), [*self.entries()][-1].spent)",
        FORGERIES,
    ),
    Mutant(
        "a debit goes on from what this process saw, whatever others have added",
        "ledger/ledger.py",
        "self._seen = last = self._chain.reach(rows, seen)",
        "self._seen = last = Point(rows[-1], seen.total)",
        (
            "tests/ledger/books/test_sqlite_book.py::"
            "TestForgeries::test_a_row_that_says_that_nothing_was_spent_stops_everybody"
        ),
    ),
    Mutant(
        "what was spent is what this process saw",
        "ledger/ledger.py",
        "if self._book.last() != seen.row:",
        "if not seen.row.number:",
        CHAIN + "::test_entries_cut_off_the_end_are_noticed_by_who_had_seen_them",
    ),
    Mutant(
        "a report shows what a forged row says",
        "ledger/ledger.py",
        "entries = (entry for _, entry in self._chain.walk(self._book.rows(), self._chain.start))",
        "entries = self.entries()",
        FORGERIES,
    ),
    Mutant(
        "what cannot be verified is written",
        "ledger/chain.py",
        "return row, self._follow(row, point)",
        "return row, row",
        LEDGER + "::test_a_release_carries_its_entry",
    ),
    Mutant(
        "verify does not miss what this process saw at the end",
        "ledger/chain.py",
        "if last.row.number < seen.row.number:",
        "if False:",
        CHAIN + "::test_entries_cut_off_the_end_are_noticed_by_who_had_seen_them",
    ),
    Mutant(
        "verify does not miss what this process saw in between",
        "ledger/chain.py",
        "if last.row.number == seen.row.number and last.row != seen.row:",
        "if False:",
        CHAIN + "::test_an_entry_that_was_replaced_is_noticed_by_who_had_seen_it",
    ),
    Mutant(
        "receipts are not looked for",
        "ledger/chain.py",
        "        if wanted:\n",
        "        if False:\n",
        RECEIPTS + "::test_a_rolled_back_copy_is_found_by_a_later_receipt",
    ),
    Mutant(
        "any entry of the same number honours a receipt",
        "ledger/chain.py",
        "if not all(_agree(record, entry) for record in wanted.pop(entry.number, [])):",
        "if wanted.pop(entry.number, []) is None:",
        RECEIPTS + "::test_a_rolled_back_copy_is_found_by_a_later_receipt",
    ),
    Mutant(
        "one receipt of an entry is enough",
        "ledger/chain.py",
        "wanted.setdefault(number, []).append(record)",
        "wanted[number] = [record]",
        RECEIPTS + "::test_receipts_that_contradict_each_other_never_pass",
    ),
    Mutant(
        "a receipt may say anything of its entry but the hash",
        "ledger/chain.py",
        "for key in record.keys() & kept.keys() - MAY_DIFFER)",
        'for key in ["hash"])',
        CHAIN + "::test_a_receipt_that_says_something_else_than_its_entry_is_refused",
    ),
    Mutant(
        "receipts of any ledger are taken",
        "ledger/chain.py",
        'if record["ledger"] != self.opening.hash:',
        "if False:",
        RECEIPTS + "::test_a_receipt_of_another_ledger_is_refused",
    ),
    Mutant(
        "the opening may promise any limit",
        "ledger/chain.py",
        "if not self.terms.sound:",
        "if False:",
        ENTRIES + "::test_a_forged_limit_is_unsound",
    ),
    Mutant(
        "a converted rho may be charged at any price",
        "ledger/entries.py",
        "cost.rho * LAST_DIGIT >= due.rho",
        "cost.rho >= 0",
        CHAIN + "::test_a_charge_may_differ_from_ours_in_the_last_digit_and_no_more",
    ),
    Mutant(
        "a charge of another version must have the same last digit",
        "ledger/entries.py",
        "cost.rho * LAST_DIGIT >= due.rho",
        "cost.rho >= due.rho",
        CHAIN + "::test_a_charge_may_differ_from_ours_in_the_last_digit_and_no_more",
    ),
    Mutant(
        "releases that protect differently are added up",
        "ledger/spending.py",
        "if len(protected) > 1:",
        "if False:",
        SPENDING + "::test_what_protects_others_does_not_add_up",
    ),
    Mutant(
        "releases of one record and of three are added up",
        "ledger/spending.py",
        "of {release.contributions} {unit}",
        "of {unit}",
        SPENDING + "::test_what_protects_others_does_not_add_up",
    ),
    Mutant(
        "a set of equal losses counts once",
        "ledger/spending.py",
        "(str, bytes, Mapping, Set, Released)",
        "(str, bytes, Mapping, Released)",
        SPENDING + "::test_what_is_no_loss_is_refused_by_its_type",
    ),
]
