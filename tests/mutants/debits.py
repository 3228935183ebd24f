"""Breaks of what a ledger takes and believes: losses, names, and receipts."""

from tests.mutants.ledger import ENTRIES, LEDGER, RECEIPTS, REFUSALS
from tests.mutants.mutant import Mutant

LOSSES = "tests/privacy/test_losses.py"
CHOICE = "tests/mechanisms/test_choice.py"

MUTANTS = [
    Mutant(
        "any entry of the same number honours a receipt, twice",
        "privacy/ledger.py",
        "wanted.setdefault(number, set()).add(hash)",
        "wanted[number] = {hash}",
        RECEIPTS,
    ),
    Mutant(
        "a loss that cannot be read back is taken",
        "privacy/refusals.py",
        "if type(loss) not in (PureDP, BoundedRange, ZCDP, ApproxDP):",
        "if not isinstance(loss, (PureDP, BoundedRange, ZCDP, ApproxDP)):",
        LEDGER,
    ),
    Mutant(
        "what cannot be verified is written",
        "privacy/ledger.py",
        "booked[:] = [follow(row, last, before, self._terms, self._id, self._book.place)]",
        "booked[:] = [row]",
        LEDGER,
    ),
    Mutant(
        "records count for less where nobody is named",
        "privacy/budget.py",
        'return self.contributions if self.unit in (None, "edge", "node") else 1',
        "return 1",
        REFUSALS,
    ),
    Mutant(
        "names that look the same have a budget each",
        "privacy/budget.py",
        'return unicodedata.normalize("NFC", name)',
        "return name",
        REFUSALS,
    ),
    Mutant(
        "names differ by spaces",
        "privacy/budget.py",
        "if not name.isprintable() or name != name.strip():",
        "if False:",
        REFUSALS,
    ),
    Mutant(
        "ledgers of the same terms have the same opening",
        "privacy/entries.py",
        '"nonce": (bits or SystemBits()).words(2).tobytes().hex(),',
        '"nonce": "0" * 32,',
        ENTRIES,
    ),
    Mutant(
        "a pure loss is free in zCDP",
        "privacy/losses.py",
        "if self.rho == 0 < self.epsilon:",
        "if False:",
        LOSSES,
    ),
    Mutant(
        "a mechanism states any loss",
        "mechanisms/choice.py",
        "or loss.epsilon < epsilon:",
        "or False:",
        CHOICE,
    ),
    Mutant(
        "a mechanism states a loss of its own kind",
        "mechanisms/choice.py",
        "if type(loss) not in (BoundedRange, PureDP) or",
        "if not isinstance(loss, (BoundedRange, PureDP)) or",
        CHOICE,
    ),
]
