"""Study files as plain values: exact numbers, the line of each key, one fingerprint for what says the same."""

from datetime import date, datetime, time
from decimal import Decimal

import pytest

from noisewise.dataset.document import KeyLines, StudyError, fingerprint, parsed, written
from tests.study.worlds import STUDY


def test_numbers_are_read_exactly_as_typed():
    assert parsed("x = 0.1", "s")["x"] == Decimal("0.1")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("data",), "[data]"),
        (("data", "types"), "types ="),
        (("ask", 0), "[[ask]]"),
        (("ask", 1, "name"), 'name = "heads"'),
        (("ask", 2, "qs"), "qs ="),
        (("ask", 1, "no such key"), '[[ask]]\nname = "heads"'),
        (("people", "unit", "deeper"), "unit ="),
    ],
)
def test_every_key_has_its_line_and_others_that_of_their_table(path, text):
    assert KeyLines(STUDY, parsed(STUDY, "s")).of(path) == 1 + STUDY[: STUDY.index(text)].count("\n")


def test_rows_of_a_long_list_are_no_tables():
    text = '[[ask]]\nkeys = [\n["A", 1],\n[true],\n]\nname = "x"\n[data]\nfile = "y"\n'
    lines = KeyLines(text, parsed(text, "s"))
    assert [lines.of(path) for path in [("ask", 0, "name"), ("data", "file")]] == [6, 8]


@pytest.mark.parametrize(("text", "line"), [("a = 1\nb = = 2\n", 2), ('a = 1\nb = "x', 2), ("[x\n", 1)])
def test_what_is_no_toml_is_said_with_its_line(text, line):
    with pytest.raises(StudyError, match=rf"^s\.toml line {line}: ") as caught:
        parsed(text, "s.toml")
    assert len(caught.value.mistakes) == 1


def test_layout_is_not_part_of_the_fingerprint():
    other = STUDY.replace("# what we publish\n", "").replace("0.4", "0.40").replace(" = ", "=")
    assert other != STUDY
    assert fingerprint(parsed(other, "s")) == fingerprint(parsed(STUDY, "s"))


def values(document):
    """Every place of a document with the value there."""
    pairs = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in pairs:
        yield document, key
        if isinstance(value, (dict, list)):
            yield from values(value)


def test_whatever_a_study_says_is_part_of_its_fingerprint():
    whole = fingerprint(parsed(STUDY, "s"))
    changed = set()
    for index in range(len(list(values(parsed(STUDY, "s"))))):
        document = parsed(STUDY, "s")
        table, key = list(values(document))[index]
        del table[key]
        changed.add(fingerprint(document))
    assert whole not in changed and len(changed) > 25


@pytest.mark.parametrize("other", ["0.0", '"0"', "false", "[0]", "0000-01-01"])
def test_values_of_other_types_have_other_fingerprints(other):
    other = "2000-01-01" if other.startswith("0000") else other
    assert fingerprint(parsed("x = 0", "s")) != fingerprint(parsed(f"x = {other}", "s"))


def test_what_is_written_is_read_back():
    document = {
        "data": {"file": 'a "b"\n\x7f\\é', "odd key": True, "types": {"a b": "number"}},
        "ask": [
            {"x": [1, Decimal("0.10"), Decimal("1E+3"), [date(2024, 2, 29), time(9, 30)]]},
            {"when": datetime(2024, 2, 29, 12, 30)},
        ],
    }
    assert parsed(written(document), "s") == document


def test_half_a_character_is_no_unicode():
    with pytest.raises(StudyError, match="line 2: this is no Unicode"):
        parsed('[study]\ntitle = "\ud800"\n', "a.toml")
