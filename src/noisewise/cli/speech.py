"""What the library says, in the words of a command line: parameters become options, and values what was typed.

An error carries fields. Their parts know what they are, so each is written anew; no text is searched. Where a command
line knows another way out than Python, `ADVICE` says so.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from noisewise.cli.options import COMMON
from noisewise.cli.questions import OPTIONS
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
    either,
    parts,
    plain,
)

Called = dict[str, str]
"""What things are called here: parameters, a column in quotes by the option that names it, a file in quotes."""

COLUMNS = ("column", "edges", "X", "x", "y", "y_true", "y_pred", "y_score")
CALLED: Called = {
    name: f"--{name.replace('_', '-')}"
    for name in (*OPTIONS, *COMMON, *COLUMNS, "delta", "rho", "key_epsilon", "key_delta", "receipt")
} | {
    "group_by": "--by",
    "loss": "the cost",
    "path": "the place of a ledger",
    "source": "FILE",
    "the files of a scan": "the files of a pattern",
    "the lower bound": "the lower end of --bounds",
    "the upper bound": "the upper end of --bounds",
}

TWO_NUMBERS = "must be two numbers, the lowest and the highest, that you know without looking at the data"
ADVICE: dict[str, dict[str, Text]] = {
    "another format": {"why": "it is none", "fix": "--format says what it is"},
    "bounds to find": {"rule": TWO_NUMBERS, "why": "noisewise private-bounds finds them"},
    "names twice": {"what": "the columns of FILE", "fix": "rename one"},
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
    "unit of no ledger": {"fix": ("leave ", Parameter("unit"), " out, or create another ledger with it")},
}
"""What a command line says instead, by the kind of an error."""


def spoken(error: NoisewiseError) -> str:
    """An error, as a command says it."""
    fields = {name: getattr(error, name) for name in ("what", "rule", "got", "why", "fix")}
    fields |= ADVICE.get(error.kind, {})
    called = CALLED | vars(error).get("called", {})
    named = (part for text in fields.values() for part in parts(text) if isinstance(part, ColumnName))
    called["data"] = next((called[name] for name in named if name in called), called.get("data", "data"))
    if plain(fields["what"]) in called:
        fields["what"] = Parameter(plain(fields["what"]))
    return error.told(lambda field: written(fields[field], called, given=field == "got"))


@contextmanager
def speaking(called: Called) -> Iterator[None]:
    """What is refused inside is told with these names; those of the innermost count."""
    try:
        yield
    except NoisewiseError as error:
        vars(error)["called"] = {**called, **vars(error).get("called", {})}
        raise


def written(text: Text, called: Called, *, given: bool = False) -> str:
    """A text with all its parts as they are typed; ``given`` where it says what was typed."""
    return "".join(_typed(part, called, given) for part in parts(text))


def _typed(part: str, called: Called, given: bool) -> str:
    match part:
        case Parameter() | FileName():
            return called.get(part, part)
        case Keyword(made_of=(name, value)):
            return f"{called.get(name, name)} {value}"
        case Words(made_of=words):
            return either(list(words))
        case Value(made_of=(_, typed)):
            return str(typed)
        case Pair(made_of=(low, high)):
            between = " " if given else " .. "
            return f"{_typed(low, called, given)}{between}{_typed(high, called, given)}"
        case Call(made_of=(_, name, value)):
            return f"say {called.get(name, name)} {value}"
        case _:
            return part
