"""Breaks of rows of several columns behind engines: formulas, sums of products, missing rows, people."""

from tests.mutants.mutant import Mutant

ARITHMETIC = "tests/tables/engines/test_arithmetic.py"
PRODUCTS = "tests/tables/engines/test_sums.py"
CHOSEN = "tests/tables/engines/test_chosen.py"
ROWS = "tests/tables/engines/test_rows.py"
PAIRS = "tests/tables/engines/test_right_pairs.py"
GROUP_ROWS = "tests/tables/engines/test_written.py"
IN_GROUPS = "tests/test_grouped_engines.py::test_queries_about_all_groups_have_the_answers_of_memory"

MUTANTS = [
    Mutant(
        "Polars divides by a constant, which is to multiply by its inverse",
        "tables/engines/arithmetic.py",
        "numbers / self.where(above, by, -by)",
        "self.where(above, numbers / by, -numbers / by)",
        f"{ARITHMETIC}::test_a_formula_has_the_bits_of_memory[polars-divided]",
    ),
    Mutant(
        "halves are rounded up by an engine",
        "tables/engines/arithmetic.py",
        "return self.once(numbers + NO_FRACTIONS) - NO_FRACTIONS",
        "return (numbers + 0.5).floor()",
        f"{ARITHMETIC}::test_a_formula_has_the_bits_of_memory[polars-rounded]",
    ),
    Mutant(
        "subnormal numbers have no mantissa",
        "tables/engines/arithmetic.py",
        "DOUBLINGS = (512, 512, 256,",
        "DOUBLINGS = (512, 256,",
        f"{ARITHMETIC}::test_mantissas_and_exponents_are_those_of_memory[polars]",
    ),
    Mutant(
        "a limb is carried into the next but one",
        "tables/engines/sums.py",
        "of_name[limb.name] << limb.shift",
        "of_name[limb.name] << (limb.shift + limb.shift // 36)",
        f"{PRODUCTS}::test_sums_of_terms_are_those_of_python[polars-300]",
    ),
    Mutant(
        "products of parts are beyond what float64 holds",
        "tables/engines/sums.py",
        "PART = 26",
        "PART = 30",
        f"{PRODUCTS}::test_sums_of_terms_are_those_of_python[polars-300]",
    ),
    Mutant(
        "products are added up whole, so that a few thousand rows pass 64 bits",
        "tables/engines/sums.py",
        "if number.bits <= size:",
        "if number.bits <= 3 * size:",
        f"{PRODUCTS}::test_no_sum_of_so_many_rows_can_pass_64_bits",
    ),
    Mutant(
        "rows that miss a number are summed by an engine",
        "tables/engines/rows.py",
        'frame.filter(nw.col("missing") == 0.0) if neighbors == "add_remove" else frame',
        "frame",
        f"{ROWS}::test_answers_are_those_of_memory[polars-pearson]",
    ),
    Mutant(
        "an engine fills missing rows by zeros",
        "tables/engines/rows.py",
        "then(nw.lit(each)).otherwise(nw.col(column))",
        "then(nw.lit(each * 0.0)).otherwise(nw.col(column))",
        f"{ROWS}::test_answers_are_those_of_memory[polars-accuracy]",
    ),
    Mutant(
        "an engine fills the missing number alone, not its row",
        "tables/engines/rows.py",
        "nw.when(nw.any_horizontal(*absent, ignore_nulls=True))",
        "nw.when(absent[0])",
        f"{ROWS}::test_answers_are_those_of_memory[polars-mae]",
    ),
    Mutant(
        "sums of products forget where their numbers begin",
        "tables/engines/rows.py",
        "return sums[term] + crossed + lows[i] * lows[j] * sums[()]",
        "return sums[term] + lows[i] * lows[j] * sums[()]",
        f"{ROWS}::test_answers_are_those_of_memory[polars-covariance]",
    ),
    Mutant(
        "a person's rows are chosen by their first number alone",
        "tables/engines/queries.py",
        "self._choice, present, *columns)",
        "self._choice, present, *columns[:1])",
        f"{ROWS}::test_answers_are_those_of_memory[polars-accuracy]",
    ),
    Mutant(
        "a person's rows that miss a number take the places of others",
        "tables/engines/queries.py",
        'self._taking_part(frame, nw.col("missing") == 0.0, *aliases)',
        'self._taking_part(frame, nw.col("missing") >= 0.0, *aliases)',
        f"{ROWS}::test_answers_are_those_of_memory[polars-accuracy]",
    ),
    Mutant(
        "labels and bins of nobody are one person's by an engine",
        "tables/engines/people.py",
        'frame.filter(present & ~nw.col("person").is_null())',
        "frame.filter(present)",
        f"{CHOSEN}::test_rows_without_a_person_or_a_record_take_no_part[duckdb]",
    ),
    Mutant(
        "missing labels and bins take the places of a person's others",
        "tables/engines/people.py",
        'frame.filter(present & ~nw.col("person").is_null())',
        'frame.filter(~nw.col("person").is_null())',
        f"{CHOSEN}::test_rows_without_a_person_or_a_record_take_no_part[polars]",
    ),
    Mutant(
        "a count beside an answer is of no rows where they are read by queries",
        "tables/columns/watched.py",
        "        self.witness.saw(rows)\n",
        "",
        f"{ROWS}::test_answers_are_those_of_memory[polars-pearson]",
    ),
    Mutant(
        "rows that miss a number are summed in groups",
        "tables/engines/rows.py",
        'nw.col("missing") == 0.0',
        'nw.col("missing") >= 0.0',
        f"{GROUP_ROWS}::test_sums_are_those_of_each_group_by_one_query",
    ),
    Mutant(
        "rows of people are chosen in any order of their groups",
        "tables/engines/people.py",
        'dialect.positions(frame, ("group", *columns))',
        "dialect.positions(frame, columns)",
        f"{IN_GROUPS}[polars-pearson]",
    ),
    Mutant(
        "a group is answered by what another asked with other constants",
        "tables/engines/written.py",
        "return part.text if isinstance(part, WrittenTerm) else repr(part)",
        'return part.text if isinstance(part, WrittenTerm) else "constant"',
        f"{GROUP_ROWS}::test_formulas_that_differ_in_anything_are_two",
    ),
    Mutant(
        "a group is answered by what another asked on another lattice",
        "tables/engines/written.py",
        'return _called("nearest", numbers, lattice.low, lattice.high, lattice.granularity)',
        'return _called("nearest", numbers)',
        f"{GROUP_ROWS}::test_formulas_that_differ_in_anything_are_two",
    ),
    Mutant(
        "sums from other low ends are taken for the same",
        "tables/engines/rows.py",
        "(written(whole), whole.low, whole.high)",
        "written(whole)",
        f"{GROUP_ROWS}::test_sums_are_those_of_each_group_by_one_query",
    ),
    Mutant(
        "an engine that computes no rows is asked for them in groups",
        "tables/engines/engine_table.py",
        "if of_rows and not (self.dialect.computes_rows and can_be_held(len(columns), len(keys))):",
        "if of_rows and not can_be_held(len(columns), len(keys)):",
        "tests/tables/engines/test_queries.py::test_rows_that_an_engine_cannot_read_are_no_queries",
    ),
    Mutant(
        "sums of many groups fill the memory after the debit",
        "tables/engines/rows.py",
        " and groups * (columns + 1) * (columns + 2) // 2 <= MOST_NUMBERS",
        "",
        f"{GROUP_ROWS}::test_more_sums_than_can_be_held_are_not_asked_for",
    ),
    Mutant(
        "what needs whole columns is asked by queries in groups",
        "dataset/grouped.py",
        "if question.can.batched and question.streamed:",
        "if question.can.batched:",
        "tests/test_grouped_engines.py::test_what_needs_whole_columns_is_fetched_in_groups_too",
    ),
    Mutant(
        "rows of equal scores are right pairs by an engine",
        "tables/engines/right_pairs.py",
        'upto * 2.0 - nw.col("negative").cast(nw.Float64)',
        "upto * 2.0",
        f"{PAIRS}::test_pairs_are_those_of_memory_whatever_the_bins_are[polars-256]",
    ),
    Mutant(
        "pairs of different bins are counted once",
        "tables/engines/right_pairs.py",
        "across = 2 * added[(0,)] * below.negatives",
        "across = added[(0,)] * below.negatives",
        f"{PAIRS}::test_pairs_are_those_of_memory_whatever_the_bins_are[polars-256]",
    ),
    Mutant(
        "bins of scores fall where a range ends",
        "tables/engines/right_pairs.py",
        ".clip(-1.0, 1.0) * parts)",
        ".clip(-1.0, 1.0).abs() * parts)",
        f"{PAIRS}::test_bins_part_the_scores_and_never_fall",
    ),
]
