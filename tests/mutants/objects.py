"""Breaks of what is made of columns of Python objects, which declare nothing."""

from tests.mutants.mutant import Mutant

OBJECTS, ARRAYS = "tests/test_objects.py", "tests/tables/columns/test_array_column.py"
PEOPLE = "tests/tables/test_people.py"
BY_DATES = (
    "tests/tables/engines/test_people.py::"
    "test_people_named_by_dates_have_the_same_records_chosen_everywhere[polars]"
)

UNDECLARED = "tests/questions/test_question.py::"

MUTANTS = [
    Mutant(
        "a list is remembered though its owner may change it",
        "questions/remembered.py",
        "if kind is tuple and len(value) <= LONGEST:",
        "if kind in (tuple, list) and len(value) <= LONGEST:",
        "tests/questions/test_short_road.py::test_a_list_that_changes_after_a_call_changes_no_later_call",
    ),
    Mutant(
        "a float and a whole number that are equal are remembered as one",
        "questions/remembered.py",
        "return kind, value.hex()  # which tells -0.0 from 0.0",
        "return int, int(value)",
        "tests/questions/test_short_road.py::test_equal_numbers_of_other_types_are_other_questions",
    ),
    Mutant(
        "the receipt of a list is that of an array",
        "questions/payable.py",
        "        return replace(release, notes=(*release.notes, *self.notes))",
        "        return release",
        UNDECLARED + "test_every_list_that_is_read_as_numbers_says_so_once",
    ),
    Mutant(
        "a receipt says that text that is compared is missing",
        "questions/question.py",
        "        return () if notes and self.can.compares(self) else notes",
        "        return notes",
        UNDECLARED + "test_what_is_compared_with_categories_may_be_text",
    ),
    Mutant(
        "nodes that no edge can name are taken",
        "tables/columns/edge_lists.py",
        "if len(nodes) and not any(isinstance(node, str) == (kind is str) for node in nodes):",
        "if False:",
        "tests/tables/columns/test_edge_lists.py::test_nodes_that_no_edge_can_name_are_refused",
    ),
    Mutant(
        "a secret node decides whether there is an answer",
        "tables/columns/edge_lists.py",
        "secret_nodes or kind is None or",
        "kind is None or",
        (
            "tests/tables/columns/test_edge_lists.py::"
            "test_nothing_is_said_of_a_list_of_nodes_that_is_as_secret_as_the_edges"
        ),
    ),
    Mutant(
        "statistics are refused in the words of Python",
        "statistics/statistic.py",
        "            checked_class()(cls)",
        "            pass",
        "tests/test_calls.py::test_a_keyword_that_there_is_not_is_refused",
    ),
    Mutant(
        "a keyword that there is not is taken for one that is left out",
        "calls.py",
        "    return named == len(kwargs) and len(args) <= len(signature.parameters)",
        "    return len(args) <= len(signature.parameters)",
        "tests/test_calls.py::test_a_call_that_is_plainly_right_is_one_that_python_takes",
    ),
    Mutant(
        "a keyword that is missing is not missed",
        "calls.py",
        "elif not by_place and parameter.default is inspect.Parameter.empty:",
        "elif False:",
        "tests/test_calls.py::test_a_call_that_is_plainly_right_is_one_that_python_takes",
    ),
    Mutant(
        "an error keeps the frames that hold the data",
        "calls.py",
        "            raise error.with_traceback(None) from None",
        "            raise",
        "tests/attacks/test_canary.py::test_no_record_is_reached_from_an_error[median]",
    ),
    Mutant(
        "an error's outermost frame keeps the data",
        "calls.py",
        "            del args, kwargs\n",
        "",
        "tests/attacks/test_canary.py::test_no_record_is_reached_from_an_error[median]",
    ),
    Mutant(
        "an error of a class of one's own is taken for a wrong call",
        "calls.py",
        "            raise failed",
        "            pass",
        "tests/test_calls.py::test_a_statistic_of_ones_own_is_judged_too",
    ),
    Mutant(
        "arrays of objects are taken for numbers",
        "tables/columns/array_column.py",
        "    if data.dtype.kind not in NUMERIC_KINDS:",
        '    if data.dtype.kind not in NUMERIC_KINDS + "O":',
        OBJECTS + "::test_no_function_of_a_column_takes_objects_for_numbers",
    ),
    Mutant(
        "objects are taken for numbers",
        "tables/columns/array_column.py",
        "if of_objects(str(declared)):",
        "if False:",
        OBJECTS + "::test_no_function_of_a_column_takes_objects_for_numbers",
    ),
    Mutant(
        "objects are refused where a look at the records finds text",
        "tables/columns/array_column.py",
        "if of_objects(str(declared)):",
        "if of_objects(str(declared)) and series.dtype == nw.String:",
        ARRAYS + "::test_a_column_of_objects_is_refused_without_looking",
    ),
    Mutant(
        "objects are taken for dates",
        "tables/local.py",
        'if held == "object":',
        "if False:",
        "tests/tables/time/test_clock.py::test_objects_are_refused_whatever_they_hold",
    ),
    Mutant(
        "objects are refused as dates where a look at the records finds one missing",
        "tables/local.py",
        'if held == "object":',
        'if held == "object" and None in series.to_list():',
        "tests/tables/time/test_clock.py::test_objects_are_refused_whatever_they_hold",
    ),
    Mutant(
        "the text of a date names a person in memory",
        "tables/people.py",
        "return str(since_1970(person))",
        "return str(person)",
        BY_DATES,
    ),
    Mutant(
        "one moment in two zones is two people",
        "tables/people.py",
        "person = person.astimezone(UTC)",
        "person = person",
        PEOPLE + "::test_dates_have_the_names_that_columns_of_dates_give_them",
    ),
    Mutant(
        "dates of 64 bits name people by milliseconds",
        "tables/time/ticks.py",
        'ticks, unit = ticks // DAILY[unit], "day"',
        "pass",
        BY_DATES,
    ),
    Mutant(
        "nodes that an engine hands out are judged when they are paid for",
        "tables/engines/engine_table.py",
        "if self.dialect.is_uuid(self._frame, name)\n            else",
        "if True\n            else",
        OBJECTS + "::test_no_engine_is_paid_for_nodes_that_have_no_names[list-polars]",
    ),
    Mutant(
        "a key is refused because no record has it",
        "tables/groups/keys.py",
        "if frame.implementation.is_polars() else {}",
        "if True else {}",
        "tests/tables/groups/test_keys.py::test_a_key_that_the_type_of_a_column_cannot_hold_is_refused_and_no_other",
    ),
    Mutant(
        "text is read as dates and paid for",
        "tables/engines/engine_table.py",
        "if isinstance(reading, Clock) and self._text is None:",
        "if False:",
        "tests/tables/columns/test_conversions.py::test_text_behind_an_engine_becomes_what_a_question_is_about",
    ),
    Mutant(
        "a conversion reads its format off the first record",
        "tables/columns/conversions.py",
        """    "date": 'pd.to_datetime({0}, format="ISO8601", errors="coerce")',""",
        """    "date": 'pd.to_datetime({0}, errors="coerce")',""",
        "tests/tables/columns/test_conversions.py::test_what_is_advised_reads_every_record_by_itself",
    ),
]
