"""Breaks of pictures and of what notebooks show."""

from tests.mutants.mutant import Mutant

SVG, CHARTS, HTML = "pictures/svg.py", "pictures/charts.py", "pictures/html.py"

MUTANTS = [
    Mutant(
        "tables narrow an interval",
        "results/tidy.py",
        "release.readable(least, -1), release.readable(most, 1)",
        "release.readable(least, 1), release.readable(most, -1)",
        "tests/results/test_tidy.py::test_tables_have_the_digits_that_mean_something",
    ),
    Mutant(
        "tables in groups narrow an interval",
        "results/grouped_release.py",
        "release.readable(values, toward) if readable else values",
        "release.readable(values, -toward) if readable else values",
        "tests/results/test_tidy.py::test_tables_have_the_digits_that_mean_something",
    ),
    Mutant(
        "tables have all digits",
        "results/release.py",
        "return value if scale is None else float(",
        "return value if True else float(",
        "tests/results/test_tidy.py::test_tables_have_the_digits_that_mean_something",
    ),
    Mutant(
        "words become markup",
        SVG,
        """return escape(legal.encode("utf-8", "replace").decode(), {'"': "&quot;", "'": "&#39;"})""",
        "return legal",
        "tests/pictures/test_svg.py::test_no_word_becomes_markup",
    ),
    Mutant(
        "a cell of a table is not escaped",
        HTML,
        'f"<td{kind}>{quoted(cell)}</td>"',
        'f"<td{kind}>{cell}</td>"',
        "tests/pictures/test_html.py::test_no_word_becomes_markup",
    ),
    Mutant(
        "bars begin at the smallest number",
        CHARTS,
        "low, high = min(0.0, low), max(0.0, high)",
        "pass",
        "tests/pictures/test_charts.py::test_bars_are_as_long_as_their_numbers",
    ),
    Mutant(
        "a chart of Altair has no intervals",
        "pictures/altair.py",
        'layers.append(base.mark_rule().encode(x=alt.X("low:Q"), x2="high:Q", y=name))',
        "pass",
        "tests/pictures/test_altair.py::test_a_chart_has_the_numbers_of_the_picture",
    ),
    Mutant(
        "the staircase of an envelope falls on both sides",
        "hazmat.py",
        "((step * (int(envelope.upper[l]) + 1), l + 1.0) for l in levels)",
        "((step * (int(envelope.upper[l]) + 1), -l + 1.0) for l in levels)",
        "tests/test_hazmat.py::test_the_envelope_is_drawn_as_a_staircase_below_the_law",
    ),
    Mutant(
        "yellow on white paper",
        SVG,
        '"#7848d8", "#808080")',
        '"#e69f00", "#808080")',
        "tests/pictures/test_svg.py::test_marks_and_words_stand_out_from_the_paper",
    ),
    Mutant(
        "a notebook shows the records of a Dataset",
        "dataset/dataset.py",
        'columns = "any: every name is taken" if names is None else ", ".join(map(str, names))',
        "columns = str(self._table.frame)",
        "tests/results/test_show.py::test_of_a_dataset_only_what_is_declared_is_shown",
    ),
    Mutant(
        "the interval of one answer is stated of all",
        "dataset/batches.py",
        "interval=each[0].interval if len(each) == 1 else None,",
        "interval=each[0].interval,",
        "tests/results/test_joint_release.py::test_it_is_one_release_and_a_mapping",
    ),
    Mutant(
        "a browser is told that scripts may run",
        "pictures/page.py",
        "default-src 'none'; style-src 'unsafe-inline'",
        "default-src *",
        "tests/pictures/test_page.py",
    ),
    Mutant(
        "a report believes a ledger without verifying it",
        "results/report.py",
        "ledger.verify(*receipts), ledger.report(), ledger.plot()",
        "len(ledger), ledger.report(), ledger.plot()",
        "tests/results/test_report.py::test_a_receipt_of_another_ledger_is_not_believed",
    ),
    Mutant(
        "a report takes an answer that nobody paid for as paid",
        "results/report.py",
        'if card["ledger"] is None and in_ledger:',
        "if False:",
        "tests/results/test_report.py::test_what_nobody_counted_or_drew_from_a_seed_is_said",
    ),
    Mutant(
        "small numbers in the registry's record are read as text",
        "privacy/registry.py",
        """return f"{mantissa if '.' in mantissa else f'{mantissa}.0'}{e}{power}\"""",
        "return text",
        "tests/privacy/test_registry.py::test_it_has_every_required_field",
    ),
    Mutant(
        "a crosstab is named by its columns",
        "releases/crosstab.py",
        'names=tuple((*map(str, each), "total") for each in cells.categories),',
        "names=(),",
        "tests/results/test_tidy.py::test_a_crosstab_is_named_by_its_categories",
    ),
    Mutant(
        "a picture of secret laws does not say so",
        "hazmat.py",
        'note = f"NOT PRIVATE: where the records are can be seen. ',
        'note = f"',
        "tests/test_hazmat.py::test_laws_are_drawn_on_one_axis_and_say_that_they_are_secret",
    ),
]
