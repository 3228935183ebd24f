"""Laws, draws and receipts changed without a new name: as private as before, and noticed by the vectors alone."""

from tests.mutants.mutant import Mutant

LAWS = "tests/vectors/test_laws.py"
REST = "tests/vectors/test_vectors.py"

MUTANTS = [
    Mutant(
        "one level more by the level rule, under the old name",
        "kernel/laws/envelope.py",
        "JUMP_EXPONENT = 30",
        "JUMP_EXPONENT = 31",
        REST + "::test_envelopes_are_what_they_were",
    ),
    Mutant(
        "a rate below half of epsilon, under the old name",
        "kernel/mechanisms/scored.py",
        "return Law(wider, self.epsilon / 2,",
        "return Law(wider, self.epsilon / 3,",
        LAWS + "::test_laws_of_envelopes",
    ),
    Mutant(
        "permute-and-flip on whole people, under the old name",
        "kernel/mechanisms/permute_and_flip.py",
        "graded=True",
        "graded=False",
        LAWS + "::test_laws_of_envelopes",
    ),
    Mutant(
        "Laplace noise wider than it must be, under the old name",
        "kernel/mechanisms/laplace.py",
        "centre.offsets, (None, None), self.sensitivity)",
        "centre.offsets, (None, None), self.sensitivity + 1)",
        LAWS + "::test_laplace_noise",
    ),
    Mutant(
        "an L1 ball where the largest coordinate counts, under the old name",
        "planning/readings/ball_reading.py",
        'sizes.sum(axis=1) if self.norm == "l1" else sizes.max(axis=1)',
        "sizes.sum(axis=1)",
        LAWS + "::test_laws_of_balls",
    ),
    Mutant(
        "the vectors of a mechanism are named after it alone",
        "questions/composites/vector_answers.py",
        'return self.mechanism.version.replace("/", f"-{self.statistic.norm}/")',
        "return self.mechanism.version",
        LAWS + "::test_laws_of_balls",
    ),
    Mutant(
        "half of what is left for every quantile of a joint release, under the old name",
        "questions/composites/tree.py",
        "q, part = qs[middle], Fraction(1, len(qs).bit_length())",
        "q, part = qs[middle], Fraction(1, min(len(qs), 2))",
        LAWS + "::test_joint_quantiles",
    ),
    Mutant(
        "keys told less often than they may be, under the old name",
        "questions/composites/key_selection.py",
        "growth, delta, one = ball(self.epsilon).exp(), ball(self.delta), ball(1)",
        "growth, delta, one = ball(self.epsilon).exp(), ball(self.delta / 2), ball(1)",
        LAWS + "::test_keys_that_are_told",
    ),
    Mutant(
        "bounds that go on twice as readily, under the old name",
        "questions/search.py",
        "STRAY = Fraction(1, 100)",
        "STRAY = Fraction(1, 50)",
        LAWS + "::test_bounds_that_are_searched_for",
    ),
    Mutant(
        "an interval that leaves more to luck, under the old name",
        "questions/composites/quantile_interval.py",
        "SAMPLING, NOISE, NUMBER = Fraction(80, 100), Fraction(15, 100)",
        "SAMPLING, NOISE, NUMBER = Fraction(78, 100), Fraction(17, 100)",
        LAWS + "::test_intervals",
    ),
    Mutant(
        "a version counted up without vectors of its own",
        "kernel/mechanisms/scored.py",
        '"inverse-sensitivity/1"',
        '"inverse-sensitivity/2"',
        LAWS + "::test_every_law_has_vectors_and_all_vectors_have_a_law",
    ),
    Mutant(
        "an envelope that is exact for fewer levels than it was",
        "statistics/variance/variance.py",
        "EXACT_UPPER = 48",
        "EXACT_UPPER = 47",
        REST + "::test_envelopes_are_what_they_were",
    ),
    Mutant(
        "laws of a batch drawn from in another order",
        "kernel/laws/law.py",
        "below = sizes.max(initial=0) - sizes",
        "below = sizes - sizes.min(initial=2**62)",
        REST + "::test_a_seed_gives_what_it_gave",
    ),
    Mutant(
        "the points of a ball picked from the other end",
        "kernel/sampling/points.py",
        "drawn = below(newest + 1, rows, bits)",
        "drawn = newest - below(newest + 1, rows, bits)",
        REST + "::test_a_seed_gives_what_it_gave",
    ),
    Mutant(
        "a receipt that says less",
        "results/release.py",
        '"people": self.people,\n',
        "",
        REST + "::test_receipts_say_what_they_said",
    ),
    Mutant(
        "an entry of a ledger under another name",
        "questions/composites/most_common.py",
        'return f"most common by {PermuteAndFlip.version}"',
        'return f"most_common by {PermuteAndFlip.version}"',
        REST + "::test_receipts_say_what_they_said",
    ),
]
