"""The JSON Schema of study files says what reading them takes."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import noisewise as nws
from noisewise.dataset.facts import FACTS
from noisewise.errors import NoisewiseError
from noisewise.questions.question import KINDS, column_signature
from noisewise.study.reading import SECTIONS
from noisewise.study.schema import DRAFT, study_schema
from tests.study.worlds import SEARCHED, STUDY

SCHEMA = study_schema()
ROOT = Path(__file__).resolve().parents[2]


def test_the_schema_is_json_and_names_its_draft():
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    assert SCHEMA["$schema"] == DRAFT == "https://json-schema.org/draft/2020-12/schema"


def test_every_section_and_every_key_is_in_it():
    assert set(SCHEMA["properties"]) == {*SECTIONS, "columns", "ask"}
    assert set(SCHEMA["properties"]["columns"]["additionalProperties"]["properties"]) == set(FACTS)
    for name, rules in SECTIONS.items():
        assert set(SCHEMA["properties"][name]["properties"]) == set(rules)
        assert SCHEMA["properties"][name]["additionalProperties"] is False


def test_every_question_is_in_it_with_its_arguments():
    asked = SCHEMA["properties"]["ask"]["items"]
    assert asked["properties"]["question"]["enum"] == sorted(KINDS)
    by_name = {each["if"]["properties"]["question"]["const"]: each["then"] for each in asked["allOf"]}
    assert set(by_name) == set(KINDS)
    for name, then in by_name.items():
        assert set(then["properties"]) == set(column_signature(KINDS[name]).parameters)
        assert all(each["description"] for each in then["properties"].values()), name
    assert by_name["median"]["required"] == ["column"], "[columns] may say the bounds"
    alone = SCHEMA["anyOf"][1]["properties"]["ask"]["items"]["allOf"]
    needed = {each["if"]["properties"]["question"]["const"]: each["then"]["required"] for each in alone}
    assert needed["median"] == ["bounds"]


def examples():
    """Every study in the documentation and of these tests, as it would be typed."""
    pages = (*(ROOT / "docs").rglob("*.md"), *(ROOT / "src/noisewise").rglob("*.toml"))
    for page in sorted(pages):
        text = page.read_text(encoding="utf-8")
        fenced = re.findall(r"```toml\n(.*?)```", text, re.S) if page.suffix == ".md" else [text]
        spelled = re.findall(r'Study\.parse\("""\n(.*?)"""', text, re.S)
        for index, study in enumerate([*fenced, *spelled]):
            if "[[ask]]" in study:
                yield pytest.param(study, id=f"{page.stem}-{index}")
    yield pytest.param(STUDY, id="tests")
    yield pytest.param(SEARCHED, id="searched")


EXAMPLES = list(examples())


def errors(text):
    document = json.loads(json.dumps(tomllib.loads(text), default=str))  # editors see a date as text
    found = list(Draft202012Validator(SCHEMA).iter_errors(document))
    for each in found:
        found += each.context or ()  # where the alternatives of an error are wrong
    return [each.json_path for each in found]


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_fits_the_schema(text):
    nws.Study.parse(text)
    assert errors(text) == []


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("[[ask]]", "[[asks]]", "$"),
        ('file = "staff.csv"\n', "", "$.data"),
        ('file = "staff.csv"', "file = 3", "$.data.file"),
        ('unit = "person"', 'person = "person"', "$.people"),
        ("contributions = 2", "contributions = 0", "$.people.contributions"),
        ("contributions = 2", "contributions = 1.5", "$.people.contributions"),
        ("contributions = 2", "per_group = 0", "$.people.per_group"),
        ('group_by = "dept"\n', 'group_by = "dept"\nper_group = "1"\n', "$.ask[1].per_group"),
        ("epsilon = 0.4", "epsilon = 0.4\nmax_groups = 1", "$.ask[0]"),
        ("epsilon = 1\n", "epsilon = -1\n", "$.budget.epsilon"),
        ('question = "median"', 'question = "medain"', "$.ask[0].question"),
        (
            'column = "salary"\nbounds = [0, 100]\nepsilon = 0.4',
            "bounds = [0, 100]\nepsilon = 0.4",
            "$.ask[0]",
        ),
        ("bounds = [0, 100]\nepsilon = 0.4", "bound = [0, 100]\nepsilon = 0.4", "$.ask[0]"),
        ("bounds = [0, 100]\nepsilon = 0.4", 'bounds = "wide"\nepsilon = 0.4', "$.ask[0].bounds"),
        ("epsilon = 0.4", "epsilon = true", "$.ask[0].epsilon"),
        ('group_by = "dept"\n', "", "$.ask[1]"),
        ('keys = [\n    "A",\n    "B",\n]\n', "", "$.ask[1]"),
    ],
)
def test_what_reading_refuses_the_schema_refuses_in_the_same_place(old, new, where):
    wrong = STUDY.replace(old, new)
    assert wrong != STUDY and any(path.startswith(where) for path in errors(wrong))
    with pytest.raises(NoisewiseError):
        nws.Study.parse(wrong).check()
