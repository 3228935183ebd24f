"""Breaks of audits: each would find less than there is, or more."""

from tests.mutants.mutant import Mutant

EXACT, BOX = "tests/audit/test_exact_audit.py", "tests/audit/test_black_box_audit.py"
LAWS = "tests/audit/test_probabilities.py"

MUTANTS = [
    Mutant(
        "of many pairs that are as good as worst, the first are judged",
        "audit/pair_search.py",
        "self.moves = sorted([*self.moves, move], key=self._measure, reverse=True)[:ENCLOSED]",
        "self.moves = [*self.moves, move][:ENCLOSED]",
        "tests/audit/test_pair_search.py::test_of_many_pairs_that_are_as_good_as_worst_the_worst_is_found",
    ),
    Mutant(
        "negative probabilities pass",
        "audit/probabilities.py",
        "return bool(np.isfinite(weight)) and bool(weight >= 0)",
        "return bool(np.isfinite(weight))",
        f"{LAWS}::test_what_is_no_law_is_refused",
    ),
    Mutant(
        "a violation is what the search thinks, not what is certain",
        "audit/pair_search.py",
        "return self.low == math.inf or Fraction(self.low) > limit",
        "return Fraction(min(self.high, 1e300)) > limit",
        f"{EXACT}::test_a_wrong_envelope_and_a_wrong_rate_are_violations",
    ),
    Mutant(
        "only the loss is judged where the range is claimed",
        "audit/result.py",
        "(self.ranged and self.range.exceeds(self.claimed))",
        "(self.ranged and self.loss.exceeds(self.claimed))",
        "tests/audit/test_result.py",
    ),
    Mutant(
        "what one dataset never draws is evidence for it",
        "audit/draws.py",
        "ratio = np.where(here == -np.inf, -np.inf, ratio)",
        "ratio = np.nan_to_num(ratio, posinf=0.0, neginf=0.0)",
        f"{EXACT}::test_a_wrong_law_is_a_violation",
    ),
    Mutant(
        "an answer that takes more draws for some data is not noticed",
        "audit/draws.py",
        "if ours is None or theirs is None or len(ours) != len(theirs):\n        return Extreme(math.inf, path)",
        "if ours is None or theirs is None or len(ours) != len(theirs):\n        return Extreme(0.0, path)",
        "tests/audit/test_draws.py::test_a_different_number_of_draws_is_an_infinite_loss",
    ),
    Mutant(
        "further draws are not followed",
        "audit/draws.py",
        "return Extreme(own + rest.log_ratio, rest.path)",
        "return Extreme(own, further)",
        "tests/audit/test_draws.py tests/audit/test_table_audit.py",
    ),
    Mutant(
        "a clamped end has the probability of a single point",
        "audit/probabilities.py",
        "if law.clamp is not None and outcome == high:",
        "if law.clamp is None and outcome == high:",
        LAWS,
    ),
    Mutant(
        "the endless side of a law is forgotten",
        "audit/probabilities.py",
        "if end is None and of.stride:",
        "if end is not None and of.stride:",
        LAWS,
    ),
    Mutant(
        "a point of permute-and-flip competes with itself",
        "audit/probabilities.py",
        "term = product[i] + own * term",
        "term = product[i]",
        LAWS,
    ),
    Mutant(
        "an event is tested on the draws that chose it",
        "audit/black_box_audit.py",
        "for part in (slice(half), slice(half, None))",
        "for part in (slice(half), slice(half))",
        f"{BOX}::test_the_event_is_chosen_and_tested_on_different_draws",
    ),
    Mutant(
        "the chance of a wrong bound is not divided among all bounds",
        "audit/black_box_audit.py",
        "miss = (1 - sure) / (2 * len(tried))",
        "miss = 9 * (1 - sure) / (2 * len(tried))",
        f"{BOX}::test_false_alarms_are_as_rare_as_the_confidence_says",
    ),
    Mutant(
        "a confidence bound is the share itself",
        "audit/binomial.py",
        "low, high = (middle, high) if _rarely(happened, of, middle, miss) else (low, middle)",
        "low, high = middle, high",
        "tests/audit/test_binomial.py",
    ),
    Mutant(
        "binary digits are not looked at",
        "audit/events.py",
        'readings[f"binary places{part}"] = binary_places(values)',
        "pass",
        f"{BOX}::test_a_wrong_sampler_is_a_violation",
    ),
    Mutant(
        "a person is added with one row at most",
        "audit/spaces.py",
        "for count in range(1, self.rows + 1)\n            for person",
        "for count in range(1, 2)\n            for person",
        "tests/audit/test_table_audit.py",
    ),
    Mutant(
        "a violation ends like a success",
        "cli/audits.py",
        "raise typer.Exit(Code.VIOLATION)",
        "raise typer.Exit(Code.DONE)",
        "tests/cli/test_audits.py",
    ),
]
