"""Breaks of blocks, of what a function is shown of them, and of what comes back from it."""

from tests.mutants.mutant import Mutant

FILES = ("blocks", "removals", "workers", "wrap")
BLOCKS, REMOVALS, WORKERS, WRAP = (f"tests/dataset/wrapper/test_{name}.py" for name in FILES)
WORLDS = f"{BLOCKS}::test_neighbours_differ_by_at_most_epsilon_whatever_the_function_is"

MUTANTS = [
    Mutant(
        "blocks pay for one round",
        "dataset/wrapper/wrapped.py",
        "paid = for_each(part, each, each, 1)",
        "paid = part",
        WORLDS,
    ),
    Mutant(
        "blocks of equal size",
        "dataset/wrapper/blocks.py",
        "+ 1) % np.uint64(blocks)",
        "+ 1).argsort().argsort().astype(np.uint64) % np.uint64(blocks)",
        WORLDS,
    ),
    Mutant(
        "a person with several records pays as one with one",
        "dataset/wrapper/wrapped.py",
        "way.rounds * min(each, way.blocks)",
        "way.rounds",
        f"{BLOCKS}::test_a_person_with_several_records_moves_a_value_for_each",
    ),
    Mutant(
        "rows of a person are dealt one by one",
        "dataset/wrapper/blocks.py",
        "words.astype(np.int64)[owners]",
        "bits.words(owners.size).astype(np.int64) % blocks",
        f"{BLOCKS}::test_rows_of_a_person_stay_together_and_rows_of_nobody_stay_out",
    ),
    Mutant(
        "a function that fails says zero",
        "dataset/wrapper/worker.py",
        "    except BaseException:\n        pass",
        "    except BaseException:\n        numbers = [0.0]",
        f"{WORKERS}::test_whatever_a_function_raises_is_no_number",
    ),
    Mutant(
        "an error of a record escapes",
        "dataset/wrapper/copies.py",
        "with suppress(Exception):",
        "with suppress(ValueError):",
        f"{WRAP}::test_records_that_cannot_be_pickled_are_no_error",
    ),
    Mutant(
        "a wrapped function keeps the streams",
        "dataset/wrapper/worker.py",
        "    for stream in range(FIRST_FREE):",
        "    for stream in range(0):",
        f"{WORKERS}::test_what_a_function_prints_is_dropped",
    ),
    Mutant(
        "a slow block chooses who evaluates the others",
        "dataset/wrapper/workers.py",
        "(turn := (index + 1) % self._many) in self._idle",
        "(turn := next(iter(self._idle), None)) is not None",
        f"{WORKERS}::test_which_worker_has_a_block_depends_on_no_other_block",
    ),
    Mutant(
        "row labels tell where a block's records stood",
        "dataset/wrapper/copies.py",
        ".iloc[places].reset_index(drop=True)",
        ".iloc[places]",
        f"{WRAP}::test_a_copy_says_nothing_of_other_records",
    ),
    Mutant(
        "a block has the categories of all records",
        "dataset/wrapper/copies.py",
        'return text == "category" or',
        "return",
        f"{WRAP}::test_a_copy_says_nothing_of_other_records",
    ),
    Mutant(
        "nested texts point into those of all records",
        "dataset/wrapper/copies.py",
        "return polars.from_arrow(some.to_arrow()).alias(some.name).cast(some.dtype)",
        "return some",
        f"{WRAP}::test_a_copy_of_nested_texts_holds_no_text_of_other_rows",
    ),
    Mutant(
        "a block's texts are as wide as the longest of all",
        "dataset/wrapper/copies.py",
        'data.dtype.kind in "US"',
        'data.dtype.kind in "S"',
        f"{WRAP}::test_a_copy_says_nothing_of_other_records",
    ),
    Mutant(
        "the metadata of a table goes with a block",
        "dataset/wrapper/copies.py",
        "pyarrow.schema(fields)",
        "pyarrow.schema(fields, table.schema.metadata)",
        f"{WRAP}::test_a_copy_says_nothing_of_other_records",
    ),
    Mutant(
        "an array behind an engine is read",
        "dataset/wrapper/copies.py",
        'if copy is None or type(native).__name__ not in ("ndarray", *FRAMES):',
        "if copy is None:",
        f"{WRAP}::test_wrong_calls_are_refused_before_the_debit",
    ),
    Mutant(
        "levels move the median as values do",
        "dataset/wrapper/wrapped.py",
        '{"epsilon": paid / 2, "mechanism": "balance"}',
        '{"epsilon": paid, "mechanism": "balance"}',
        f"{REMOVALS}::test_a_function_that_was_climbed_to_costs_half_of_epsilon",
    ),
    Mutant(
        "not all subsets are asked",
        "dataset/wrapper/removals.py",
        "for i in range(people)",
        "for i in range(people - 1)",
        f"{REMOVALS}::test_neighbours_differ_by_at_most_epsilon_whatever_the_function_is",
    ),
    Mutant(
        "a subset without a number poisons the levels",
        "dataset/wrapper/removals.py",
        "rows[np.isnan(rows)] = -np.inf",
        "rows = rows * 1",
        f"{REMOVALS}::test_levels_are_those_of_the_definition",
    ),
    Mutant(
        "how many subsets there are follows from the records",
        "dataset/wrapper/removals.py",
        "people[order[: self.most]]",
        "people[order]",
        f"{REMOVALS}::test_of_more_people_than_there_can_be_some_are_chosen",
    ),
]
