"""The text of errors on the command line: it names options in place of parameters, and quotes values as typed.

The text of an error has parts, such as the name of a parameter. Each part is written in the words of the command line,
so no text has to be searched. `ADVICE` has the fixes that differ from those in Python.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from noisewise.cli.options import COMMON
from noisewise.errors import (
    Call,
    ColumnName,
    FileName,
    Keyword,
    NoisewiseError,
    Pair,
    Parameter,
    Text,
    Value,
    Words,
    any_of,
    python_text,
    text_parts,
)

Names = dict[str, str]
"""The words for a parameter, a column (in quotes, by the option that names it) or a file (in quotes)."""

SHARED = (
    "bounds",
    "column",
    "confidence",
    "delta",
    "epsilon",
    "granularity",
    "html",
    "mechanism",
    "receipt",
    "rho",
)
PLANNED = ("size", "shape", "groups", "people", "error", "epsilons", "rhos", "picture")
NAMES: Names = {name: f"--{name.replace('_', '-')}" for name in (*COMMON, *SHARED, *PLANNED)} | {
    "group_by": "--by",
    "loss": "the cost",
    "path": "the place of a ledger",
    "source": "FILE",
    "types": "--type",
    "the files of a scan": "the files of a pattern",
    "the lower bound": "the lower end of --bounds",
    "the upper bound": "the upper end of --bounds",
}

TWO_NUMBERS = "must be two numbers, the lowest and the highest, that you know without looking at the data"
ADVICE: dict[str, dict[str, Text]] = {
    "another format": {"why": "it is none", "fix": "--format says what it is"},
    "bounds to find": {"rule": TWO_NUMBERS, "why": "noisewise private-bounds finds them"},
    "names twice": {"what": "the columns of FILE", "fix": "rename one"},
    "no categories": {"fix": "say --categories, or count people by noisewise count-people"},
    "no delta": {
        "what": "keys",
        "rule": "must be said",
        "got": "",
        "fix": "or pay from a ledger that was created with --epsilon 1 --delta 1e-6",
    },
    "no pair": {"rule": TWO_NUMBERS},
    "pairs": {"rule": "must be said once for both columns, or once for each"},
    "text for numbers": {
        "fix": "for text there are most-common, histogram, and count without --column",
    },
    "text for times": {
        "fix": "save it as dates, or the file as CSV, whose text is read as what the bounds are"
    },
    "unit of no ledger": {"fix": ("leave ", Parameter("unit"), " out, or create another ledger with it")},
}
"""Fields that replace those of an error, by the kind of the error."""


def error_text(error: NoisewiseError) -> str:
    """Return the text of an error for the command line."""
    fields = {name: getattr(error, name) for name in ("what", "rule", "got", "why", "fix")}
    fields |= ADVICE.get(error.kind, {})
    names = NAMES | vars(error).get("names", {})
    columns = (part for text in fields.values() for part in text_parts(text) if isinstance(part, ColumnName))
    names["data"] = next((names[name] for name in columns if name in names), names.get("data", "data"))
    if python_text(fields["what"]) in names:
        fields["what"] = Parameter(python_text(fields["what"]))
    return error.text(lambda field: written(fields[field], names, given=field == "got"))


@contextmanager
def naming(names: Names) -> Iterator[None]:
    """Make errors raised in this block use these names for parameters. Names of an inner block win."""
    try:
        yield
    except NoisewiseError as error:
        vars(error)["names"] = {**names, **vars(error).get("names", {})}
        raise


def written(text: Text, names: Names, *, given: bool = False) -> str:
    """Return a text with all its parts in the words of options. ``given`` says whether the text quotes typed words."""
    return "".join(_typed(part, names, given) for part in text_parts(text))


def _typed(part: str, names: Names, given: bool) -> str:
    match part:
        case Parameter() | FileName():
            return names.get(part, part)
        case Keyword(made_of=(name, value)):
            return f"{names.get(name, name)} {value}"
        case Words(made_of=words):
            return any_of(list(words))
        case Value(made_of=(_, typed)):
            return str(typed)
        case Pair(made_of=(low, high)):
            between = " " if given else " .. "
            return f"{_typed(low, names, given)}{between}{_typed(high, names, given)}"
        case Call(made_of=(_, name, value)):
            return f"say {names.get(name, name)} {value}"
        case _:
            return part
