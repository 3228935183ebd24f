"""The JSON Schema of study files says what reading them takes."""

import json
import tomllib

import noisewise as nws
from noisewise.questions.question import KINDS, column_signature
from noisewise.study.reading import ASK, SECTIONS
from noisewise.study.schema import DRAFT, study_schema
from tests.study.worlds import STUDY

SCHEMA = study_schema()


def test_the_schema_is_json_and_names_its_draft():
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    assert SCHEMA["$schema"] == DRAFT == "https://json-schema.org/draft/2020-12/schema"


def test_every_section_and_every_key_is_in_it():
    assert set(SCHEMA["properties"]) == {*SECTIONS, "ask"}
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
    assert by_name["median"]["required"] == ["column", "bounds"]


def test_the_study_of_these_tests_fits():
    document = tomllib.loads(STUDY)
    for name, section in document.items():
        rules = SCHEMA["properties"][name]
        assert name == "ask" or set(section) <= set(rules["properties"])
    for each in document["ask"]:
        (then,) = (
            rule["then"]
            for rule in SCHEMA["properties"]["ask"]["items"]["allOf"]
            if rule["if"]["properties"]["question"]["const"] == each["question"]
        )
        assert set(each) <= {*then["properties"], *ASK} and set(then["required"]) <= set(each)
    assert nws.Study.parse(STUDY)
