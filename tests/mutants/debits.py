"""Breaks of what a ledger takes and believes: losses, names, and receipts."""

from tests.mutants.ledger import AMOUNTS, BUDGET, ENTRIES, LEDGER, REFUSALS
from tests.mutants.mutant import Mutant

SUGGESTING = "tests/ledger/test_suggesting.py"
OPENING = "tests/ledger/test_ledger_opening.py"
LOSSES = "tests/kernel/test_losses.py"
CHOICE = "tests/questions/test_choice.py"
REQUEST = "tests/questions/test_request.py"

MUTANTS = [
    Mutant(
        "a loss that cannot be read back is taken",
        "ledger/refusals.py",
        "if type(loss) not in (PureDP, BoundedRange, ZCDP, ApproxDP):",
        "if not isinstance(loss, (PureDP, BoundedRange, ZCDP, ApproxDP)):",
        LEDGER + "::test_a_loss_of_a_users_own_kind_is_refused_and_the_ledger_goes_on",
    ),
    Mutant(
        "records count for less where nobody is named",
        "ledger/budget.py",
        'return self.contributions if self.unit in (None, "edge", "node") else 1',
        "return 1",
        REFUSALS + "::test_a_release_that_protects_others_is_refused",
    ),
    Mutant(
        "names that look the same have a budget each",
        "ledger/budget.py",
        'return unicodedata.normalize("NFC", name)',
        "return name",
        REFUSALS + "::test_names_that_look_the_same_are_the_same",
    ),
    Mutant(
        "names differ by spaces",
        "ledger/budget.py",
        "if not name.isprintable() or name != name.strip():",
        "if False:",
        REFUSALS + "::test_names_that_only_seem_to_differ_are_refused",
    ),
    Mutant(
        "ledgers of the same terms have the same opening",
        "ledger/entries.py",
        '"nonce": (bits or SystemBits()).words(2).tobytes().hex(),',
        '"nonce": "0" * 32,',
        ENTRIES + "::test_no_two_ledgers_have_the_same_opening",
    ),
    Mutant(
        "a pure loss is free in zCDP",
        "kernel/losses.py",
        "if self.rho == 0 < self.epsilon:",
        "if False:",
        LOSSES + "::test_a_pure_loss_above_zero_has_no_rho_of_zero",
    ),
    Mutant(
        "a mechanism states any loss",
        "kernel/mechanisms/mechanism.py",
        "or loss.epsilon < epsilon:",
        "or False:",
        CHOICE + "::test_a_mechanism_states_a_loss_of_its_epsilon_at_least",
    ),
    Mutant(
        "a mechanism states a loss of its own kind",
        "kernel/mechanisms/mechanism.py",
        "if type(loss) not in (BoundedRange, PureDP) or",
        "if not isinstance(loss, (BoundedRange, PureDP)) or",
        CHOICE + "::test_a_mechanism_states_a_loss_of_its_epsilon_at_least",
    ),
    Mutant(
        "a mechanism of the library states less rho than its class",
        "questions/choice.py",
        "or loss.as_zcdp().rho < own.as_zcdp().rho:",
        "or False:",
        CHOICE + "::test_a_mechanism_of_the_library_states_no_less_than_its_class",
    ),
    Mutant(
        "a mechanism of the library states a better kind of loss",
        "questions/choice.py",
        "if type(loss) not in (type(own), PureDP) or",
        "if",
        CHOICE + "::test_a_mechanism_of_the_library_states_no_less_than_its_class",
    ),
    Mutant(
        "a subclass of Laplace says what several records lose",
        "questions/composites/vector_answers.py",
        "if type(self.mechanism) is Laplace and",
        "if isinstance(self.mechanism, Laplace) and",
        "tests/questions/composites/test_vector_answers.py::test_a_subclass_of_laplace_does_not_say_what_several_records_lose",
    ),
    Mutant(
        "an envelope names a support of its own",
        "kernel/laws/envelope.py",
        "if tuple(self.support) != support:",
        "if False:",
        REQUEST + "::test_what_lies_elsewhere_than_was_judged_is_never_drawn",
    ),
    Mutant(
        "a score names a support of its own",
        "kernel/laws/score.py",
        "if (low, high) != support:",
        "if False:",
        REQUEST + "::test_what_lies_elsewhere_than_was_judged_is_never_drawn",
    ),
    Mutant(
        "a statistic says that its answers lie beyond the judged ones",
        "questions/request.py",
        "return max(known_low, default=None), min(known_high, default=None)",
        "return said",
        REQUEST + "::test_a_statistic_may_say_that_answers_lie_within_the_judged_ones_and_not_beyond",
    ),
    Mutant(
        "of a batch the first envelope alone is judged",
        "kernel/laws/envelope.py",
        "if not widens.all() or (lower > upper).any():",
        "if not widens[: self.offsets[1] - 1].all() or lower[0] > upper[0]:",
        "tests/kernel/laws/test_envelope.py::test_every_envelope_of_a_batch_is_judged",
    ),
    Mutant(
        "a total too long to write down is written",
        "ledger/ledger.py",
        "if spent.outgrows(before):",
        "if False:",
        LEDGER + "::test_losses_with_odd_denominators_are_refused_before_they_take_the_room_of_decimals",
    ),
    Mutant(
        "odd denominators take the room of decimals",
        "ledger/amounts.py",
        "_odd(new) > max(ODD_BITS, _odd(old))",
        "False",
        AMOUNTS + "::test_a_denominator_that_is_no_decimals_may_take_so_much_room_in_each_currency",
    ),
    Mutant(
        "a ledger with a long odd denominator takes nothing any more",
        "ledger/amounts.py",
        "_odd(new) > max(ODD_BITS, _odd(old))",
        "_odd(new) > ODD_BITS",
        AMOUNTS + "::test_a_denominator_that_is_no_decimals_may_take_so_much_room_in_each_currency",
    ),
    Mutant(
        "a total is written that cannot be read",
        "ledger/amounts.py",
        "(_is_long(new) or ",
        "(",
        AMOUNTS + "::test_a_denominator_that_is_no_decimals_may_take_so_much_room_in_each_currency",
    ),
    Mutant(
        "what is left is suggested without being tried",
        "ledger/budget.py",
        "== exactly and fits(exactly):",
        "== exactly:",
        BUDGET + "::test_what_uses_up_the_rest_is_said_to_the_last_digit",
    ),
    Mutant(
        "what is left is suggested to another digit",
        "ledger/budget.py",
        "if Fraction(repr(float(exactly))) == exactly and",
        "if",
        BUDGET + "::test_what_uses_up_the_rest_is_said_to_the_last_digit",
    ),
    Mutant(
        "a question is said to fit by the loss of its parts",
        "ledger/refusals.py",
        "fits = self.terms.largest(self.before, cost, number)",
        "fits = self.hint()[0]",
        SUGGESTING + "::test_a_question_is_told_the_largest_epsilon_that_it_may_be_asked_with",
    ),
    Mutant(
        "an epsilon that cannot be asked with is said to fit",
        "ledger/refusals.py",
        """if not again.fits or cost(exact("epsilon", again.fits)) != PureDP(0):""",
        "if True:",
        SUGGESTING + "::test_an_epsilon_that_is_too_small_to_be_asked_with_is_not_suggested",
    ),
    Mutant(
        "an empty ledger is left out by who asks whether there is one",
        "ledger/ledger.py",
        "return True  # a ledger without entries",
        "return len(self) > 0  # a ledger without entries",
        OPENING + "::test_a_ledger_counts_its_entries_and_is_never_nothing",
    ),
]
