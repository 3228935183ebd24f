"""Breaks of what is made of columns of Python objects, which declare nothing."""

from tests.mutants.mutant import Mutant

OBJECTS, ARRAYS = "tests/test_objects.py", "tests/columns/test_arrays.py"
PEOPLE, TIMES = "tests/tables/test_people.py", "tests/tables/time/test_clock.py -k whatever_they_hold"
BY_DATES = (
    "tests/tables/engines/test_people.py::"
    "test_people_named_by_dates_have_the_same_records_chosen_everywhere[polars]"
)

MUTANTS = [
    Mutant(
        "objects are taken for numbers",
        "columns/arrays.py",
        "if of_objects(str(declared)):",
        "if False:",
        OBJECTS,
    ),
    Mutant(
        "objects are refused where a look at the records finds text",
        "columns/arrays.py",
        "if of_objects(str(declared)):",
        "if of_objects(str(declared)) and series.dtype == nw.String:",
        f"{ARRAYS} -k without_looking",
    ),
    Mutant(
        "objects are taken for dates",
        "tables/local.py",
        'if self.holds(name) == "object":',
        "if False:",
        TIMES,
    ),
    Mutant(
        "objects are refused as dates where a look at the records finds one missing",
        "tables/local.py",
        'if self.holds(name) == "object":',
        'if self.holds(name) == "object" and None in self.frame.get_column(name).to_list():',
        TIMES,
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
        f"{PEOPLE} -k columns_of_dates",
    ),
    Mutant(
        "dates of 64 bits name people by milliseconds",
        "tables/time/ticks.py",
        'ticks, unit = ticks // DAILY[unit], "day"',
        "pass",
        BY_DATES,
    ),
    Mutant(
        "weights that an engine hands out are judged when they are paid for",
        "tables/engines/table.py",
        "self._judge(names[2:], choice)",
        "self._judge((), choice)",
        f"{OBJECTS} -k weights",
    ),
    Mutant(
        "nodes that an engine hands out are judged when they are paid for",
        "tables/engines/table.py",
        "if not self.dialect.is_uuid(self._frame, name):",
        "if False:",
        f"{OBJECTS} -k have_no_names",
    ),
]
