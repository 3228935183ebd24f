"""The question as text to copy: Python, a command, and a study file.

There are two versions of the Python code and of the command. The first is a plan. It runs as it is, and prints the
numbers of the page. The second asks for a private answer. The user must put in the name of the private file. All texts
are made from the study.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from noisewise.dataset.document import written
from noisewise.explorer.data_files import PublicFiles
from noisewise.explorer.state import DEFAULTS, OWN, Inputs, State, offered, own_parameters
from noisewise.kernel.numbers.exact import spell
from noisewise.kernel.prices import Rho
from noisewise.questions.typed import as_toml
from noisewise.study.python_code import call
from noisewise.study.reading import StudyQuestion
from noisewise.study.study import Study
from noisewise.tables.files.scan import format_of

PRIVATE = "data.parquet"
"""The name of the file of private data, until its owner types another."""
COLUMN = "income"
READERS = {
    "parquet": "read_parquet({})",
    "arrow": "read_ipc({})",
    "jsonl": "read_ndjson({})",
    "csv": "read_csv({}, infer_schema=False)",
    "tsv": 'read_csv({}, infer_schema=False, separator="\\t")',
}


@dataclass(frozen=True, slots=True)
class Exports:
    """The question of the page as Python code, as a command and as a study file."""

    python: str
    python_release: str
    command: str
    command_release: str
    study: str

    @classmethod
    def of(cls, inputs: Inputs, files: PublicFiles) -> "Exports":
        sample = _sample(inputs, files)
        study = study_of(inputs, sample)
        return cls(
            python=_python(inputs, sample),
            python_release=study.to_python(),
            command=_plan_command(inputs, sample),
            command_release=_command([inputs.kind.name, PRIVATE, *_column(inputs, sample)], inputs),
            study=study.to_toml(),
        )


def _sample(inputs: Inputs, files: PublicFiles) -> tuple[str, str] | None:
    """Return the path and the column of the public file, or None if the user picked no file."""
    if inputs.said["source"] != "file":
        return None
    file, column = files.parts(inputs.said["column"])
    return file.path, column


def study_of(inputs: Inputs, sample: tuple[str, str] | None = None) -> Study:
    """Return the study that asks this question of private data. The user must still name the file."""
    name = inputs.kind.name
    column = {} if _of_all_rows(inputs) and sample is None else {"column": sample[1] if sample else COLUMN}
    people = {key: inputs.keywords[key] for key in ("contributions", "neighbors") if key in inputs.keywords}
    asked = {key: value for key, value in inputs.keywords.items() if key not in people}
    data: dict[str, Any] = {"file": PRIVATE, "size": inputs.records.size}
    if sample is not None:
        data["sample"] = sample[0]
    document: dict[str, Any] = {
        "study": {"title": f"The {name.replace('_', ' ')}, planned in the explorer"},
        "data": data,
        "people": {key: _spelled(value) for key, value in people.items()},
        "ask": [
            {
                "name": name,
                "question": name,
                **column,
                **{key: _spelled(value) for key, value in {**inputs.own, **asked}.items()},
            }
        ],
    }
    return Study.parse(written({key: value for key, value in document.items() if value}))


def _spelled(value: Any) -> Any:
    """Return a value as a study file holds it. Decimals stay as typed."""
    if isinstance(value, tuple):
        return [_spelled(each) for each in value]
    return value if isinstance(value, (int, Decimal)) else as_toml(value)


def _of_all_rows(inputs: Inputs) -> bool:
    return inputs.kind.capabilities.all_rows


def _python(inputs: Inputs, sample: tuple[str, str] | None) -> str:
    said: dict[str, Any] = {**inputs.own, **inputs.keywords}
    if inputs.size is not None:
        said["size"] = inputs.size
    if inputs.confidence != Fraction(DEFAULTS["confidence"]):
        said["confidence"] = inputs.confidence
    imports, lines = ["import noisewise as nws"], list[str]()
    if sample is None:
        said["shape"] = inputs.shape
        code = call(inputs.kind.name, **said)
    else:
        path, column = sample
        reader = READERS[format_of(path)[0] or "csv"].format(repr(path))
        imports = ["import polars", "", *imports]
        lines = [f"sample = polars.{reader}[{column!r}].cast(polars.Float64, strict=False).drop_nulls()"]
        code = f"{call(inputs.kind.name, **said)}, shape=sample"
    return "\n".join([*imports, "", *lines, f"plan = nws.plan({code})", "print(plan)", ""])


def _plan_command(inputs: Inputs, sample: tuple[str, str] | None) -> str:
    name = inputs.kind.name
    if sample is not None:
        return _command(["simulate", name, sample[0], *_column(inputs, sample)], inputs)
    more = [] if inputs.size is None else ["--size", str(inputs.size)]
    if inputs.confidence != Fraction(DEFAULTS["confidence"]):
        more += ["--confidence", spell(inputs.confidence)]
    if inputs.said["source"] == "shape":
        kind, first, second = inputs.shape
        return _command(
            ["plan", name], inputs, [*more, "--shape", f"{kind}:{_typed(first)},{_typed(second)}"]
        )
    numbers = "\n".join(f"{each:.17g}" for each in inputs.shape)
    return f"{_command(['plan', name], inputs, [*more, '--shape', '@/dev/stdin'])} <<'END'\n{numbers}\nEND"


def _column(inputs: Inputs, sample: tuple[str, str] | None) -> list[str]:
    if sample is None and _of_all_rows(inputs):
        return []
    return ["--column", sample[1] if sample else COLUMN]


def _command(words: list[str], inputs: Inputs, more: list[str] | None = None) -> str:
    said = dict(inputs.own) | dict(inputs.keywords)
    options = []
    for key, value in said.items():
        values = value if isinstance(value, tuple) else (value,)
        options += [f"--{key.replace('_', '-')}", *map(_typed, values)]
    named = [word.replace("_", "-") if word == inputs.kind.name else word for word in words]
    return shlex.join(["noisewise", *named, *options, *(more or [])])


def _typed(value: Any) -> str:
    """Return a number or a word as one would type it on a command line."""
    if isinstance(value, (int, str)):
        return str(value)
    return spell(Fraction(value))


def states_of(study: Study, files: PublicFiles) -> dict[str, State]:
    """Return the questions of a study that the page can show, by their names. The data of the study is not read."""
    found = {}
    for each in study.questions:
        if each.question.name in offered() and not each.by:
            found[each.name] = _state_of(study, each, files)
    return found


def _state_of(study: Study, each: StudyQuestion, files: PublicFiles) -> State:
    question = each.question
    given: Mapping[str, Any] = {
        **dict(zip(own_parameters(question.kind), question.arguments, strict=False)),
        **question.keywords,
    }
    price = question.typed_price
    field = "rho" if isinstance(price, Rho) else "epsilon"
    number = price.rho if isinstance(price, Rho) else given["epsilon"]
    fields = {"question": question.name, "price": field, field: _typed(number), "granularity": ""}
    fields |= {
        f"own-{name}": _typed(given.get(name, OWN.get(name, ""))) for name in own_parameters(question.kind)
    }
    for key in ("granularity", "mechanism"):
        if given.get(key) is not None:
            fields[key] = _typed(given[key])
    fields |= {
        key: _typed(study.people[key]) for key in ("contributions", "neighbors") if key in study.people
    }
    bounds = given.get("bounds")
    if isinstance(bounds, tuple):
        low, high = map(_typed, bounds)
        fields |= {"low": low, "high": high, "shape": "uniform", "first": low, "second": high}
    if "size" in study.data:
        fields["n"] = str(study.data["size"])
    column = question.columns[0] if question.columns else None
    for index, file in enumerate(files.files):
        if column in file.columns:
            fields |= {"source": "file", "column": f"{index}/{column}", "n": ""}
    return State.of(fields)
