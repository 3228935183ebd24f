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
        "return np.array([min(max(each, low), high) for each in given], np.int64)",
        "return np.array(given)",
        TESTS + "test_numbers_of_any_size_never_raise",
    ),
    Mutant(
        "an answer of several numbers may lie outside its box",
        "statistics/given_levels.py",
        "return np.clip(self.given.centre.astype(np.int64), frame.low, frame.high), self.given.radii",
        "return self.given.centre.astype(np.int64), self.given.radii",
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
