"""Breaks of the chain: which rows follow which, who has seen them, and what receipts say of them."""

from tests.mutants.ledger import ENTRIES, LEDGER
from tests.mutants.mutant import Mutant

CHAIN = "tests/privacy/test_chain.py"
FORGERIES = "tests/books/test_sqlite.py::TestForgeries"
RECEIPTS = "tests/privacy/test_ledger_receipts.py"
SPENDING = "tests/privacy/test_spending.py"

MUTANTS = [
    Mutant(
        "rows need not begin where the last ones ended",
        "privacy/chain.py",
        "if (first := next(following, None)) != point.row:",
        "if (first := next(following, None)) is None:",
        CHAIN,
    ),
    Mutant(
        "a new process starts from the last row",
        "privacy/ledger.py",
        "self._seen = seen = self._chain.reach(self._book.rows(seen.row.number), seen)",
        "self._seen = seen = Point(self._book.last(), [*self.entries()][-1].spent)",
        FORGERIES,
    ),
    Mutant(
        "a debit goes on from what this process saw, whatever others have added",
        "privacy/ledger.py",
        "self._seen = last = self._chain.reach(rows, seen)",
        "self._seen = last = Point(rows[-1], seen.total)",
        LEDGER + " tests/books/test_sqlite.py::TestLedger " + FORGERIES,
    ),
    Mutant(
        "what was spent is what this process saw",
        "privacy/ledger.py",
        "if self._book.last() != seen.row:",
        "if not seen.row.number:",
        CHAIN + " tests/books/test_sqlite.py::TestLedger",
    ),
    Mutant(
        "a report shows what a forged row says",
        "privacy/ledger.py",
        "entries = (entry for _, entry in self._chain.walk(self._book.rows(), self._chain.start))",
        "entries = self.entries()",
        FORGERIES,
    ),
    Mutant(
        "what cannot be verified is written",
        "privacy/chain.py",
        "return row, self._follow(row, point)",
        "return row, row",
        LEDGER,
    ),
    Mutant(
        "verify does not miss what this process saw at the end",
        "privacy/chain.py",
        "if last.row.number < seen.row.number:",
        "if False:",
        CHAIN,
    ),
    Mutant(
        "verify does not miss what this process saw in between",
        "privacy/chain.py",
        "if last.row.number == seen.row.number and last.row != seen.row:",
        "if False:",
        CHAIN,
    ),
    Mutant(
        "receipts are not looked for",
        "privacy/chain.py",
        "        if wanted:\n",
        "        if False:\n",
        RECEIPTS,
    ),
    Mutant(
        "any entry of the same number honours a receipt",
        "privacy/chain.py",
        "if not all(_agree(record, entry) for record in wanted.pop(entry.number, [])):",
        "if wanted.pop(entry.number, []) is None:",
        RECEIPTS,
    ),
    Mutant(
        "one receipt of an entry is enough",
        "privacy/chain.py",
        "wanted.setdefault(number, []).append(record)",
        "wanted[number] = [record]",
        RECEIPTS,
    ),
    Mutant(
        "a receipt may say anything of its entry but the hash",
        "privacy/chain.py",
        "for key in record.keys() & told.keys() - MOVES)",
        'for key in ["hash"])',
        CHAIN,
    ),
    Mutant(
        "receipts of any ledger are taken",
        "privacy/chain.py",
        'if record["ledger"] != self.opening.hash:',
        "if False:",
        RECEIPTS,
    ),
    Mutant(
        "the opening may promise any limit",
        "privacy/chain.py",
        "if not self.terms.sound:",
        "if False:",
        ENTRIES,
    ),
    Mutant(
        "a converted rho may be charged at any price",
        "privacy/entries.py",
        "cost.rho * LAST_DIGIT >= due.rho",
        "cost.rho >= 0",
        CHAIN,
    ),
    Mutant(
        "a charge of another version must have the same last digit",
        "privacy/entries.py",
        "cost.rho * LAST_DIGIT >= due.rho",
        "cost.rho >= due.rho",
        CHAIN,
    ),
    Mutant(
        "releases that protect differently are added up",
        "privacy/spending.py",
        "if len(protected) > 1:",
        "if False:",
        SPENDING,
    ),
    Mutant(
        "releases of one record and of three are added up",
        "privacy/spending.py",
        "of {told.contributions} {unit}",
        "of {unit}",
        SPENDING,
    ),
    Mutant(
        "a set of equal losses counts once",
        "privacy/spending.py",
        "(str, bytes, Mapping, Set, Released)",
        "(str, bytes, Mapping, Released)",
        SPENDING,
    ),
]
