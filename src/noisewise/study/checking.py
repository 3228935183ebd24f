"""Find all mistakes of a study at once.

One mistake can hide others. An error names only the first mistake, and no question can be checked if the data cannot be
opened. So the key that an error names is left out, or gets a value that is always right. Then the rest is checked
again, by the same code that runs a study.
"""

import inspect
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noisewise.dataset.dataset import Dataset
from noisewise.dataset.document import Mistake, StudyError
from noisewise.dataset.document import Path as Place
from noisewise.errors import NoisewiseError, python_text
from noisewise.questions.question import Question, column_signature
from noisewise.study.binding import (
    BoundQuestion,
    BoundStudy,
    bind,
    differing_protection,
    key_of_data,
    over_budget,
    place_of,
    without_data,
)
from noisewise.study.document_keys import GROUPS
from noisewise.study.reading import StudyQuestion

if TYPE_CHECKING:
    from noisewise.study.study import Study

Found = list[tuple[Place, NoisewiseError]]
NEVER_WRONG: dict[str, Any] = {
    "bounds": (0, 1),
    "epsilon": Fraction(1, 2**20),
    "rho": Fraction(1, 2**40),
    "q": Fraction(1, 2),
    "qs": [Fraction(1, 2)],
}
"""Values that replace a wrong value of a key that must be there."""


def with_all_mistakes(error: StudyError) -> StudyError:
    """Return an error with the mistakes that reading a study has found, and with the mistakes of its other parts."""
    study: Study | None = error.rest
    if study is None or "file" not in study.data:
        return error
    lines = {each.line for each in error.found}
    found = [Mistake(study.lines.of(path), str(each)) for path, each in mistakes_in(study) if not each.extra]
    return StudyError(error.file, [*error.found, *(each for each in found if each.line not in lines)])


def mistakes_in(study: "Study") -> Found:
    """Return every mistake that can be found without data, with the place of its key."""
    found: Found = []
    while True:
        try:
            with without_data(study) as dataset:
                return found + _in_questions(study, dataset)
        except NoisewiseError as error:
            place = key_of_data(study, python_text(error.what))
            found.append((place, error))
            if error.extra or len(place) == 1 or place == ("data", "file"):
                return found
            study = _without_key(study, place[1])


def _without_key(study: "Study", key: str | int) -> "Study":
    """Return the study without a key of [data] or [people]. A key name occurs in only one of these sections."""
    data, people = (
        {name: value for name, value in given.items() if name != key} for given in (study.data, study.people)
    )
    return replace(study, data=data, people=people)


def _in_questions(study: "Study", dataset: Dataset) -> Found:
    found: Found = []
    bound: list[BoundQuestion] = []
    groups: dict[str, Any] = {}
    for each in study.questions:
        trial, places = _with_epsilon(each), set[Place]()
        while True:
            try:
                one = bind(trial, dataset, groups)
                if not places:
                    bound.append(one)
                break
            except NoisewiseError as error:
                place = place_of(study, each, error)
                if place in places or (places and len(place) == 2):
                    break  # the key that was left out may be needed
                places.add(place)
                found.append((place, error))
                left = _without(trial, str(place[2])) if len(place) == 3 else None
                if left is None:
                    break
                trial = left
    if bound:
        found += differing_protection(study, bound)
        if (dear := over_budget(study, BoundStudy(dataset, tuple(bound)))) is not None:
            found.append((("budget",), dear))
    return found


def _with_epsilon(asked: StudyQuestion) -> StudyQuestion:
    """Return the question, with a valid price if it has none."""
    priced = any(asked.question.keywords.get(name) is not None for name in ("epsilon", "rho"))
    return asked if priced else _with(asked, epsilon=NEVER_WRONG["epsilon"])


def _without(asked: StudyQuestion, key: str) -> StudyQuestion | None:
    """Return the question without a key, or None if it cannot be asked without this key."""
    if key in GROUPS:
        return replace(asked, by=(), keys=None, search=None)
    if key == "name":
        return replace(asked, name=f"{asked.name}_")
    parameter = column_signature(asked.question.kind).parameters.get(key)
    if key not in asked.question.keywords or parameter is None:
        return None
    if key in NEVER_WRONG:
        return _with(asked, **{key: NEVER_WRONG[key]})
    if parameter.default is inspect.Parameter.empty:
        return None
    return _with(asked, **{key: parameter.default})


def _with(asked: StudyQuestion, **keywords: Any) -> StudyQuestion:
    question = asked.question
    changed = Question(question.kind, question.columns, question.arguments, {**question.keywords, **keywords})
    return replace(asked, question=changed)
