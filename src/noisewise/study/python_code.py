"""A study as a program: the text of Python code that asks the same questions of the same data."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noisewise.dataset.facts import Column
from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP
from noisewise.kernel.prices import Rho
from noisewise.study.binding import READ, bound_without_data
from noisewise.study.reading import StudyQuestion

if TYPE_CHECKING:
    from noisewise.study.study import Study


def python_of(study: "Study") -> str:
    """Return the program. It pays for each question separately, and puts the answers into a dictionary."""
    held = dict(study.people)
    read = {name: study.data[name] for name in READ if name in study.data}
    if study.columns:
        held["columns"] = dict(study.columns)
    if "name" in study.data:
        held["name"] = study.data["name"]
    lines = []
    if study.ledger_path is not None:
        lines.append(f"ledger = nws.Ledger.open({call(study.ledger_path, **_terms(study))})")
    payer = "" if study.ledger is None else ", ledger=ledger"
    where = f".where({study.data['where']!r})" if "where" in study.data else ""
    lines += [
        f"data = nws.Dataset.scan({call(study.path(study.data['file']), **read, **held)}{payer}){where}",
        "",
        "answers = {}",
        *(f"answers[{each.name!r}] = data.{_asked(each)}" for each in study.questions),
    ]
    code = "\n".join(lines)
    modules = [name for name in ("datetime", "decimal", "fractions") if f"{name}." in code]
    imports = [*(f"import {name}" for name in modules), *([""] if modules else []), "import noisewise as nws"]
    return "\n".join([*imports, "", code, ""])


def ledger_terms(study: "Study", unit: str | None) -> dict[str, Any]:
    """Return the terms of the ledger of a study, without its budget."""
    terms: dict[str, Any] = {"neighbors": study.people.get("neighbors", "add_remove"), "unit": unit}
    if study.people.get("unit") is None:  # with a unit, each release chooses how many records take part
        terms["contributions"] = study.people.get("contributions", 1)
    return terms | ({"name": study.data["name"]} if "name" in study.data else {})


def _terms(study: "Study") -> dict[str, Any]:
    usual = {"neighbors": "add_remove", "unit": None, "contributions": 1}
    terms = ledger_terms(study, bound_without_data(study).unit)
    said = {name: value for name, value in terms.items() if name == "name" or value != usual[name]}
    return {"budget": study.budget, **said} if study.budget is not None else said


def _asked(each: StudyQuestion) -> str:
    question = each.question
    columns = [name for name in question.columns if name is not None]
    how = dict(each.search or ({} if each.keys is None else {"keys": each.keys}))
    groups = f"group_by({call(*each.by, **how, **each.limits)})." if each.by else ""
    keywords = {key: value for key, value in question.keywords.items() if value is not None}
    return f"{groups}{question.name}({call(*columns, **keywords)})"


def call(*arguments: Any, **keywords: Any) -> str:
    """Return arguments of a call as Python code."""
    return ", ".join(
        [*map(_code, arguments), *(f"{name}={_code(value)}" for name, value in keywords.items())]
    )


def _code(value: Any) -> str:
    """Return a value as Python code. A decimal becomes a float with the same digits, which noisewise reads exactly."""
    match value:
        case Rho():
            return _code(value.rho)
        case Decimal() | Fraction() if Fraction(repr(float(value))) == Fraction(value):
            return repr(float(value))
        case Decimal():
            return f"decimal.{value!r}"
        case Fraction():
            return f"fractions.{value!r}"
        case datetime() | date() | time() | timedelta():
            return repr(value)
        case list():
            return f"[{', '.join(map(_code, value))}]"
        case tuple():
            return f"({', '.join(map(_code, value))}{',' * (len(value) == 1)})"
        case Mapping():
            return f"{{{', '.join(f'{key!r}: {_code(each)}' for key, each in value.items())}}}"
        case Column():
            return f"nws.Column({call(**{name: getattr(value, name) for name in value.known})})"
        case PureDP() | ZCDP() | ApproxDP():
            numbers = {each.name: getattr(value, each.name) for each in fields(value)}
            said = {name: number for name, number in numbers.items() if number is not None}
            return f"nws.{type(value).__name__}({call(**said)})"
        case _:
            return repr(value)
