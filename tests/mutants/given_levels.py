"""Breaks of levels and balls that the caller made."""

from tests.mutants.mutant import Mutant

TESTS = "tests/statistics/test_given_levels.py::"

MUTANTS = [
    Mutant(
        "levels of one's own need not widen",
        "statistics/given_levels.py",
        "lower = np.minimum.accumulate(np.minimum(one, other))",
        "lower = np.minimum(one, other)",
        TESTS + "test_any_levels_are_released_and_sound_ones_stay_as_they_are",
    ),
    Mutant(
        "levels of one's own are all moved, sound ones too",
        "statistics/given_levels.py",
        "upper = np.maximum.accumulate(np.maximum(one, other))",
        "upper = np.maximum.accumulate(np.maximum(one, other) // 2 * 2)",
        TESTS + "test_any_levels_are_released_and_sound_ones_stay_as_they_are",
    ),
    Mutant(
        "numbers of any size are refused after all",
        "kernel/numbers/arrays.py",
        "return np.array([min(max(int(each), low), high) for each in listed], np.int64)",
        "return np.array(listed)",
        TESTS + "test_numbers_of_any_size_never_raise",
    ),
    Mutant(
        "levels of one's own take Laplace noise",
        "questions/functions/own_statistic.py",
        "if isinstance(asked.mechanism, (Gaussian, Laplace)):",
        "if False:",
        TESTS + "test_laplace_noise_is_refused_for_levels",
    ),
    Mutant(
        "a stride of few bits runs over",
        "kernel/laws/envelope.py",
        "if isinstance(stride, np.integer):",
        "if False:",
        TESTS + "test_a_stride_of_few_bits_counts_in_full",
    ),
    Mutant(
        "a stride of few bits runs over in balls made by hand",
        "statistics/given_levels.py",
        "return int(self.given.radii.stride)",
        "return self.given.radii.stride",
        TESTS + "test_a_stride_of_few_bits_counts_in_full",
    ),
    Mutant(
        "levels that are no whole numbers are found after the debit",
        "statistics/given_levels.py",
        'if not (_is_flat(lower, "i") and _is_flat(upper, "i")):',
        "if False:",
        TESTS + "test_what_is_no_flat_sequence_is_refused_before_the_debit",
    ),
    Mutant(
        "an answer of several numbers may lie outside its box",
        "statistics/given_levels.py",
        "return np.clip(self.given.centre.astype(np.int64), frame.low, frame.high), radii",
        "return self.given.centre.astype(np.int64), radii",
        TESTS + "test_an_answer_of_several_numbers_is_cut_to_its_box",
    ),
    Mutant(
        "nesting is looked at in one direction",
        "audit/checks.py",
        "if not (_are_nested(made[x], made[y]) and _are_nested(made[y], made[x])):",
        "if not _are_nested(made[x], made[y]) and not _are_nested(made[y], made[x]):",
        TESTS + "test_the_check_of_levels",
    ),
]
