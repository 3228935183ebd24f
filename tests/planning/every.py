"""Every kind of question there is, with an example of its own parameters, and data for it."""

import inspect
from typing import Any

import numpy as np

import noisewise as nws
from noisewise.questions.question import KINDS, Question

OWN: dict[str, Any] = {
    "q": 0.9,
    "qs": [0.5, 0.9],
    "bins": [0, 1, 2],
    "categories": ["a", "b", "c", "d"],
    "alpha": 0.1,
    "c": 1,
    "tau": 0.5,
    "steps": 3,
    "k": 2,
    "nodes": 10,
    "low": 0.1,
    "high": 0.9,
    "max_degree": 5,
    "bounds": (0, 10),
}
"""Examples of parameters; a question with another one that it needs has to say it here."""

NAMES = {"matrix": ["x", "y"], "edges": ["u", "v"], "cells": ["x", "y"], "column": "z", "label": "z"}
RECORDS = np.arange(24) % 11 / 1.0
DATA: dict[str, Any] = {
    "matrix": (RECORDS, RECORDS[::-1]),
    "edges": [(0, 1), (1, 2), (2, 0)],
    "cells": (["a", "b"] * 3, [1, 2, 1] * 2),
    "column": RECORDS,
    "label": ["a", "b"] * 6,
}


def asked(name: str, **keywords: Any) -> Question:
    """The question as `ask` writes it down, with examples of what it needs."""
    kind = KINDS[name]
    parameters = kind.parameters.parameters
    given = {each: OWN[each] for each in OWN if each in parameters and needed(name, each)}
    if "cells" in kind.capabilities.columns:
        given["categories"] = {"x": ["a", "b"], "y": [1, 2]}
    unknown = [
        each.name
        for each in parameters.values()
        if each.default is inspect.Parameter.empty and each.name not in {*given, "epsilon"}
    ]
    assert not unknown, f"say an example of {unknown} in tests/planning/every.py"
    question: Question = getattr(nws.ask, name)(
        *(NAMES[each] for each in kind.capabilities.columns), **{"epsilon": 1, **given, **keywords}
    )
    return question


def needed(name: str, parameter: str) -> bool:
    """Whether an example is given: of what has a default only where it is no question without."""
    default = KINDS[name].parameters.parameters[parameter].default
    return default is inspect.Parameter.empty or parameter in ("bounds", "nodes", "bins")


def data(name: str) -> Any:
    """Public data for it, as `simulate` takes it."""
    if name == "spanning_tree_cost":
        return [(0, 1, 2.0), (1, 2, 3.0)]
    if name == "histogram":
        return RECORDS
    if name in ("log_loss", "auc"):
        return RECORDS % 2, RECORDS / 10
    columns = [DATA[each] for each in KINDS[name].capabilities.columns]
    return columns[0] if len(columns) == 1 else tuple(columns)
