"""The JSON Schema of study files, for editors: made of the questions' signatures, so a new question is in it too."""

import inspect
from typing import Any

import noisewise.questions.functions  # noqa: F401  # registers the questions
from noisewise.dataset.methods import COLUMNS_MEAN
from noisewise.questions.keywords import meanings, summary
from noisewise.questions.question import COLUMN_ARGUMENTS, KINDS, Kind, column_signature
from noisewise.study.document_keys import ASK, SECTIONS, Rule

DRAFT = "https://json-schema.org/draft/2020-12/schema"
NUMBER: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^[0-9]+/[0-9]+$"}]}
SHAPES: dict[str, dict[str, Any]] = {
    "column": {"type": "string"},
    "label": {"type": "string"},
    "edges": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3},
}
"""What names the columns of each kind, where it is no list of any length."""
LIST: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
VALUES: dict[str, dict[str, Any]] = {
    "epsilon": NUMBER,
    "interval": NUMBER,
    "bounds_share": NUMBER,
    "bounds": {"anyOf": [{"type": "array", "minItems": 2}, {"const": "private"}]},
    "mechanism": {"type": "string"},
    "smooth": NUMBER,
    "with_count": {"anyOf": [{"type": "boolean"}, *NUMBER["anyOf"]]},
}
"""What values are, where that is the same for every question."""


def study_schema() -> dict[str, Any]:
    """The schema, as JSON Schema of draft 2020-12."""
    sections = {
        name: {
            "type": "object",
            "properties": {key: _described(rule) for key, rule in rules.items()},
            "additionalProperties": False,
            **({"required": ["file"]} if name == "data" else {}),
        }
        for name, rules in SECTIONS.items()
    }
    asked = {
        "type": "object",
        "properties": {
            **{key: _described(rule) for key, rule in ASK.items()},
            "question": {"enum": sorted(KINDS), "description": ASK["question"].meaning},
        },
        "required": ["name", "question"],
        "dependentRequired": {
            "keys": ["group_by"],
            "key_epsilon": ["group_by", "key_delta"],
            "key_delta": ["group_by", "key_epsilon"],
        },
        "dependentSchemas": {"group_by": {"oneOf": [{"required": ["keys"]}, {"required": ["key_epsilon"]}]}},
        "allOf": [_of_kind(KINDS[name]) for name in sorted(KINDS)],
        "unevaluatedProperties": False,
    }
    return {
        "$schema": DRAFT,
        "title": "A study of noisewise",
        "type": "object",
        "properties": {**sections, "ask": {"type": "array", "items": asked, "minItems": 1}},
        "required": ["data", "ask"],
        "additionalProperties": False,
    }


def _described(rule: Rule) -> dict[str, Any]:
    return {**rule.schema, "description": rule.meaning}


def _of_kind(kind: Kind) -> dict[str, Any]:
    """The keys of one question."""
    parameters = column_signature(kind).parameters
    explained = meanings(kind.help, kind.signature, kind.capabilities.meanings)
    means = {COLUMN_ARGUMENTS.get(name, name): text for name, text in explained.items()}
    shapes = dict(zip(parameters, kind.capabilities.columns, strict=False))
    keys = {}
    for name, each in parameters.items():
        if name in shapes:
            keys[name] = {**SHAPES.get(shapes[name], LIST), "description": COLUMNS_MEAN[shapes[name]]}
        else:
            keys[name] = {**_value(name, each), "description": means.get(name, "")}
    needed = [
        name
        for name, each in parameters.items()
        if each.default is inspect.Parameter.empty and name != "epsilon"
    ]
    return {
        "if": {"properties": {"question": {"const": kind.name}}, "required": ["question"]},
        "then": {"description": summary(kind.help), "properties": keys, "required": needed},
    }


def _value(name: str, parameter: inspect.Parameter) -> dict[str, Any]:
    if name in VALUES:
        return VALUES[name]
    return {"type": "boolean"} if isinstance(parameter.default, bool) else {}
