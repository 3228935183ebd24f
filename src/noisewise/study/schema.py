"""The JSON Schema of study files, for editors. It is made from the registered questions, so it includes new ones."""

from itertools import combinations
from typing import Any

from noisewise.dataset.document import Rule
from noisewise.dataset.facts import FACTS
from noisewise.dataset.methods import COLUMNS_MEAN
from noisewise.questions.keywords import meanings, summary
from noisewise.questions.question import COLUMN_ARGUMENTS, KINDS, OF_FACTS, Kind
from noisewise.questions.typed import (
    BOUNDS,
    NAME,
    NUMBER,
    NUMBERS,
    WHOLE,
    TypedForm,
    TypedParameter,
    TypedQuestion,
)
from noisewise.study.document_keys import ASK, LIMITS, SECTIONS

DRAFT = "https://json-schema.org/draft/2020-12/schema"
NUMBER_VALUE: dict[str, Any] = {
    "anyOf": [{"type": "number"}, {"type": "string", "pattern": "^[0-9]+/[0-9]+$"}]
}
LIST: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
COLUMN_VALUES: dict[str, dict[str, Any]] = {
    "column": {"type": "string"},
    "label": {"type": "string"},
    "matrix": LIST,
    "cells": LIST,
    "edges": {**LIST, "minItems": 2, "maxItems": 3},
}
"""How columns of each kind are named."""
FOUND_BY = ("keys", "key_epsilon", "key_rho")
"""The keys of which a question in groups has one, unless [columns] says the groups."""
VALUES: dict[TypedForm, dict[str, Any]] = {
    NUMBER: NUMBER_VALUE,
    WHOLE: {"type": "integer"},
    NUMBERS: {"type": "array", "items": NUMBER_VALUE},
    NAME: {"type": "string"},
    BOUNDS: {"anyOf": [{"type": "array", "minItems": 2}, {"const": "private"}]},
}
"""The schema of a value, by how its parameter is typed."""


def study_schema() -> dict[str, Any]:
    """Return the schema of study files, as JSON Schema of draft 2020-12."""
    sections = {
        name: {
            "type": "object",
            "properties": {key: _described(rule) for key, rule in rules.items()},
            "additionalProperties": False,
            **({"required": ["file"]} if name == "data" else {}),
        }
        for name, rules in SECTIONS.items()
    }
    column = {
        "type": "object",
        "properties": {key: _described(rule) for key, rule in FACTS.items()},
        "additionalProperties": False,
    }
    facts = {
        "type": "object",
        "description": "What is known about columns without looking at the data; a question says it otherwise.",
        "additionalProperties": column,
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
            "key_rho": ["group_by", "key_delta"],
            "key_delta": ["group_by"],
            **{key: ["group_by"] for key in LIMITS},
        },
        "dependentSchemas": {
            "group_by": {"not": {"anyOf": [{"required": [*pair]} for pair in combinations(FOUND_BY, 2)]}},
            "key_delta": {"not": {"required": ["keys"]}},
            "rho": {"not": {"required": ["epsilon"]}},
        },
        "allOf": [_of_kind(KINDS[name]) for name in sorted(KINDS)],
        "unevaluatedProperties": False,
    }
    return {
        "$schema": DRAFT,
        "title": "A study of noisewise",
        "type": "object",
        "properties": {**sections, "columns": facts, "ask": {"type": "array", "items": asked, "minItems": 1}},
        "required": ["data", "ask"],
        "anyOf": [{"required": ["columns"]}, {"properties": {"ask": {"items": _without_facts()}}}],
        "additionalProperties": False,
    }


def _without_facts() -> dict[str, Any]:
    """Return the schema for what a question needs in a study that says nothing in [columns]."""
    of_kinds = [
        {"if": _is_of(kind), "then": {"required": required}}
        for _, kind in sorted(KINDS.items())
        if (required := [name for name in TypedQuestion.of(kind).missing(()) if name in OF_FACTS])
    ]
    groups = {"oneOf": [{"required": [key]} for key in FOUND_BY]}
    return {"allOf": of_kinds, "dependentSchemas": {"group_by": groups}}


def _is_of(kind: Kind) -> dict[str, Any]:
    return {"properties": {"question": {"const": kind.name}}, "required": ["question"]}


def _described(rule: Rule) -> dict[str, Any]:
    return {**rule.schema, "description": rule.meaning}


def _of_kind(kind: Kind) -> dict[str, Any]:
    """Return the schema for the keys of one kind of question."""
    typed = TypedQuestion.of(kind)
    explained = meanings(kind.help, kind.signature, kind.capabilities.meanings)
    means = {COLUMN_ARGUMENTS.get(name, name): text for name, text in explained.items()}
    keys = {}
    for each in typed.parameters:
        if each.column is not None:
            keys[each.name] = {**COLUMN_VALUES[each.column], "description": COLUMNS_MEAN[each.column]}
        else:
            keys[each.name] = {**_value(each), "description": means.get(each.name, "")}
    needed = [name for name in typed.missing(()) if name not in OF_FACTS]
    return {
        "if": _is_of(kind),
        "then": {"description": summary(kind.help), "properties": keys, "required": needed},
    }


def _value(parameter: TypedParameter) -> dict[str, Any]:
    if parameter.name == "with_count":  # true, or the share of epsilon that it gets
        return {"anyOf": [{"type": "boolean"}, *NUMBER_VALUE["anyOf"]]}
    return {"type": "boolean"} if parameter.switch else VALUES.get(parameter.form, {})
