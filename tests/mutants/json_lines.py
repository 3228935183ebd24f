"""Breaks by which one line of JSON decides what may be asked, whether it is answered, or what others have."""

from tests.mutants.mutant import Mutant

FILE = "tables/files/json_lines.py"
TABLE = "tables/files/text_table.py"

MUTANTS = [
    Mutant(
        "the columns of JSON lines are those of somebody's record",
        "tables/files/scan.py",
        "encoded, names = Encoded.of(packed, encoding), None",
        'encoded, names = Encoded.of(packed, encoding), ("y",)',
        (
            "tests/tables/files/test_json_lines.py::"
            "test_one_person_more_or_less_does_not_decide_what_may_be_asked"
        ),
    ),
    Mutant(
        "a line in a wrong encoding fails the release",
        FILE,
        '"TRY(decode(c0)) AS line"',
        '"decode(c0) AS line"',
        "tests/tables/files/test_json_lines.py::test_one_line_changes_no_other_record",
    ),
    Mutant(
        "a long line is a record as far as it was kept",
        FILE,
        "np.where(lines.long, stops, starts + len(BYTE_ORDER_MARK) * np.all(marked, axis=0))",
        "starts + len(BYTE_ORDER_MARK) * np.all(marked, axis=0)",
        "tests/tables/files/test_json_lines.py::test_one_line_changes_no_other_record",
    ),
    Mutant(
        "which line stands first decides what it is",
        FILE,
        "starts + len(BYTE_ORDER_MARK) * np.all(marked, axis=0)",
        "starts + len(BYTE_ORDER_MARK) * (np.all(marked, axis=0) & (starts == 0))",
        (
            "tests/tables/files/test_json_lines.py::"
            "test_a_mark_at_the_beginning_is_left_out_wherever_the_line_stands"
        ),
    ),
    Mutant(
        "two columns are taken for one",
        TABLE,
        "if len({name.lower() for name in used}) < len(used):",
        "if False:",
        (
            "tests/tables/files/test_text_table.py::"
            "test_the_columns_of_a_question_must_differ_by_more_than_capitals"
        ),
    ),
    Mutant(
        "files that change between two passes go unnoticed",
        TABLE,
        "ThreadedDuckDB(reader, progress, files.fail_if_changed)",
        "ThreadedDuckDB(reader, progress)",
        "tests/tables/files/test_json_lines.py::test_nothing_is_read_before_the_debit_and_a_change_is_seen",
    ),
    Mutant(
        "files that changed since they were opened are paid for",
        TABLE,
        "            files=self._files,\n            dialect=self.dialect",
        "            dialect=self.dialect",
        "tests/tables/files/test_json_lines.py::test_nothing_is_read_before_the_debit_and_a_change_is_seen",
    ),
    Mutant(
        "a line that is no JSON fails the release",
        FILE,
        "TRY(json_extract_string(line, '{value}'))",
        "json_extract_string(line, '{value}')",
        "tests/tables/files/test_json_lines.py::test_one_line_changes_no_other_record",
    ),
    Mutant(
        "a list is read as an object with numbers for keys",
        FILE,
        "CASE WHEN regexp_matches(line, '{OPENS}') THEN line END",
        "line",
        "tests/tables/files/test_json_lines.py::test_any_text_is_a_key",
    ),
    Mutant(
        "a key is taken for a way into nested objects",
        FILE,
        '.replace("~", "~0").replace("/", "~1")',
        "",
        "tests/tables/files/test_json_lines.py::test_any_text_is_a_key",
    ),
    Mutant(
        "an unknown name is an error where none are declared",
        "tables/names.py",
        "    if names is None:\n        return (\n",
        "    if names is None:\n        return False and (\n",
        (
            "tests/tables/files/test_json_lines.py::"
            "test_one_person_more_or_less_does_not_decide_what_may_be_asked"
        ),
    ),
    Mutant(
        "a name that DuckDB cannot write fails the release",
        "tables/names.py",
        'isinstance(given, str) and given != ""',
        "isinstance(given, str)",
        "tests/tables/test_names.py::test_what_could_be_nobodys_key_is_refused_all_the_same",
    ),
    Mutant(
        "whether anybody is in a file decides whether a command is refused",
        "cli/input_file.py",
        'if kind != "jsonl" and file.is_file()',
        "if file.is_file()",
        "tests/cli/test_commands.py::test_json_lines_of_nobody_are_answered_like_those_of_one",
    ),
    Mutant(
        "one column as both ends of an edge is paid for and fails",
        "dataset/methods.py",
        'if kind in ("edges", "cells") and len(set(given)) < len(given):',
        "if False:",
        "tests/dataset/test_methods.py::test_one_column_is_not_two_ends_of_an_edge",
    ),
]
