"""Breaks of what a ledger takes and believes: losses, names, and receipts."""

from tests.mutants.ledger import AMOUNTS, BUDGET, ENTRIES, LEDGER, REFUSALS
from tests.mutants.mutant import Mutant

SUGGESTING = "tests/privacy/test_suggesting.py"
OPENING = "tests/privacy/test_ledger_opening.py"
LOSSES = "tests/privacy/test_losses.py"
CHOICE = "tests/mechanisms/test_choice.py"

MUTANTS = [
    Mutant(
        "a loss that cannot be read back is taken",
        "privacy/refusals.py",
        "if type(loss) not in (PureDP, BoundedRange, ZCDP, ApproxDP):",
        "if not isinstance(loss, (PureDP, BoundedRange, ZCDP, ApproxDP)):",
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
    Mutant(
        "a total too long to write down is written",
        "privacy/ledger.py",
        "if spent.outgrows(before):",
        "if False:",
        LEDGER,
    ),
    Mutant(
        "odd denominators take the room of decimals",
        "privacy/amounts.py",
        "_odd(new) > max(ODD_BITS, _odd(old))",
        "False",
        AMOUNTS,
    ),
    Mutant(
        "a ledger with a long odd denominator takes nothing any more",
        "privacy/amounts.py",
        "_odd(new) > max(ODD_BITS, _odd(old))",
        "_odd(new) > ODD_BITS",
        AMOUNTS,
    ),
    Mutant(
        "a total is written that cannot be read",
        "privacy/amounts.py",
        "(_is_long(new) or ",
        "(",
        AMOUNTS,
    ),
    Mutant(
        "what is left is suggested without being tried",
        "privacy/budget.py",
        "== exactly and fits(exactly):",
        "== exactly:",
        BUDGET,
    ),
    Mutant(
        "what is left is suggested to another digit",
        "privacy/budget.py",
        "if Fraction(repr(float(exactly))) == exactly and",
        "if",
        BUDGET,
    ),
    Mutant(
        "a question is said to fit by the loss of its parts",
        "privacy/refusals.py",
        "fits = self.terms.largest(self.before, cost, asked)",
        "fits = self.hint()[0]",
        SUGGESTING,
    ),
    Mutant(
        "an epsilon that cannot be asked with is said to fit",
        "privacy/refusals.py",
        """if not again.fits or cost(exact("epsilon", again.fits)) != PureDP(0):""",
        "if True:",
        SUGGESTING,
    ),
    Mutant(
        "an empty ledger is left out by who asks whether there is one",
        "privacy/ledger.py",
        "return True  # a ledger without entries",
        "return len(self) > 0  # a ledger without entries",
        OPENING,
    ),
]
