"""The state of the form. The address of the page holds all fields, so a bookmark keeps the whole state.

`State` holds the fields as typed. `Inputs.of` checks them, and says which field each error belongs to.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any
from urllib.parse import urlencode

import numpy as np

from noisewise.errors import NoisewiseError, ParameterError, python_text
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.exact import describe, whole
from noisewise.kernel.prices import Price
from noisewise.planning.asked import Asked
from noisewise.planning.shapes import Shaped
from noisewise.questions.question import KINDS, Kind
from noisewise.questions.request import Request
from noisewise.questions.terms import exact_confidence, price_of
from noisewise.questions.typed import TypedQuestion, number

DEFAULTS: Mapping[str, str] = {
    "source": "shape",
    "shape": "lognormal",
    "first": "10.5",
    "second": "0.6",
    "sample": "",
    "column": "",
    "question": "median",
    "n": "200",
    "low": "0",
    "high": "150000",
    "granularity": "50",
    "neighbors": "add_remove",
    "contributions": "1",
    "price": "epsilon",
    "epsilon": "1",
    "rho": "0.1",
    "mechanism": "auto",
    "confidence": "0.95",
    "goal": "",
    "delta": "0.000001",
    "seed": "1",
}
"""The first value of every field."""

OWN = {"q": "0.9", "alpha": "0.1", "c": "10000", "low": "0.25", "high": "0.75"}
"""First values of parameters of single questions; others begin empty. Their fields are ``own-q`` and so on."""

FIELDS = {"bounds": "low", "size": "n", "error": "goal", "low": "own-low", "high": "own-high"}
"""The fields of parameters with another name."""

LONGEST = 200
"""The most letters of a field, except the sample."""
LONGEST_SAMPLE = 20_000
FURTHEST = 999
"""How many zeros a number may have before or after its first digit."""
MOST_RECORDS = 200_000
"""The most records that are made from a shape. The page answers while the user types."""

MOST_POINTS = 5000
"""The most possible answers for permute_and_flip, as its law computes each of them."""
MANY = (
    f"more than {MOST_POINTS:,} answers are possible, too many to draw this law; choose a coarser granularity"
)

SUMS = "auto answers this in ρ by several noisy sums, which have no law to draw; choose a mechanism"

Number = int | Decimal | Fraction


@dataclass(frozen=True, slots=True)
class State:
    """The texts of all fields, as typed."""

    fields: Mapping[str, str]

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "State":
        """Return the state of an address. Missing fields get their first values, and unknown fields are dropped."""
        known = dict(DEFAULTS)
        known |= {f"own-{name}": text for name, text in OWN.items()}
        known |= {
            key: text
            for key, text in given.items()
            if key in known or (key.startswith("own-") and key[4:].isidentifier())
        }
        return cls(known)

    def __getitem__(self, name: str) -> str:
        return self.fields.get(name, "").strip()

    def query(self, **changed: str) -> str:
        """Return the query of this state's address, with other values for some fields. First values are left out."""
        at_first = State.of({}).fields
        fields = {**self.fields, **changed}
        return urlencode([(key, text) for key, text in fields.items() if text != at_first.get(key)])


@cache
def offered() -> dict[str, Kind]:
    """Return the questions that the page offers: those about one column whose answer is one number drawn from a law."""
    return {name: kind for name, kind in sorted(KINDS.items()) if _has_law(kind)}


def own_parameters(kind: Kind) -> tuple[str, ...]:
    """Return the parameters that belong to this question only, such as the q of a quantile."""
    parameters = TypedQuestion.of(kind).parameters
    return tuple(
        each.name for each in parameters if each.required and each.column is None and each.name != "bounds"
    )


def _has_law(kind: Kind) -> bool:
    can = kind.capabilities
    if can.columns != ("column",) or can.asks_whether_true or "mechanism" not in kind.parameters.parameters:
        return False
    given = {name: Fraction(OWN.get(name, "1")) for name in own_parameters(kind)}
    if "bounds" in kind.parameters.parameters:
        given["bounds"] = (0, 100_000)  # type: ignore[assignment]
    try:
        asked = Asked.of("explore", kind.name, (), {**given, "epsilon": 1})
        return isinstance(asked.without_data(1).alone, Request)
    except (NoisewiseError, TypeError):
        return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inputs:
    """A checked state: the question, its parameters and public records."""

    kind: Kind
    own: Mapping[str, Number]
    keywords: Mapping[str, Any]
    """The keywords of the question. Those left empty are missing."""
    size: int | None
    shape: Any
    """The ``shape`` of `plan`."""
    records: Floats
    confidence: Fraction
    goal: Number | None
    delta: Fraction
    seed: int
    said: State = field(repr=False)

    @property
    def price(self) -> Price:
        return price_of(self.keywords.get("epsilon"), self.keywords.get("rho"))

    @property
    def bounds(self) -> tuple[Number, Number] | None:
        return self.keywords.get("bounds")

    def asked(self, **changed: Any) -> Asked:
        """Return the question with other values for some keywords."""
        return Asked.of("explore", self.kind.name, (), {**self.own, **self.keywords, **changed})

    @classmethod
    def of(cls, state: State, column: Callable[[str], Floats]) -> tuple["Inputs | None", dict[str, str]]:
        """Return the inputs of a state, or None and the errors by field. ``column`` reads a column of a public file."""
        reading = _Reading(state)
        kind = offered().get(state["question"])
        if kind is None:
            return None, {"question": "there is no such question here"}
        takes = kind.parameters.parameters
        own = {name: reading.number(f"own-{name}", needed=True) for name in own_parameters(kind)}
        keywords: dict[str, Any] = {}
        if "bounds" in takes:
            keywords["bounds"] = (reading.number("low", needed=True), reading.number("high", needed=True))
        price = state["price"]
        if price not in ("epsilon", "rho"):
            return None, {"price": "must be epsilon or rho"}
        keywords[price] = reading.number(price, needed=True)
        if (granularity := reading.number("granularity")) is not None and "granularity" in takes:
            keywords["granularity"] = granularity
        if state["neighbors"] != "add_remove":
            keywords["neighbors"] = state["neighbors"]
        if (contributions := reading.number("contributions", needed=True)) != 1:
            keywords["contributions"] = contributions
        if state["mechanism"] != "auto":
            keywords["mechanism"] = state["mechanism"]
        size, goal = reading.number("n"), reading.number("goal")
        shape = reading.shape(column)
        checked: dict[str, Any] = {}
        for name, check in (
            ("n", lambda: None if size is None else whole("n", size, least=1, most=MOST_RECORDS)),
            ("confidence", lambda: exact_confidence(reading.number("confidence", needed=True))),
            ("delta", lambda: _chance(reading.number("delta", needed=True))),
            ("seed", lambda: whole("seed", reading.number("seed", needed=True), least=0)),
        ):
            checked[name] = reading.checked(name, check)
        if reading.wrong:
            return None, reading.wrong
        records = reading.checked("n", lambda: Shaped.of(shape).records(checked["n"]))
        if records is None:
            return None, reading.wrong
        if not np.isfinite(records).all():
            name = {"shape": "first", "sample": "sample"}.get(state["source"], "column")
            return None, {name: "must hold numbers below 1e308"}
        inputs = cls(
            kind=kind,
            own=own,  # type: ignore[arg-type]  # none is missing, or that was said
            keywords=keywords,
            size=checked["n"],
            shape=shape,
            records=records,
            confidence=checked["confidence"],
            goal=goal,
            delta=checked["delta"],
            seed=checked["seed"],
            said=state,
        )
        request = reading.checked("question", lambda: inputs.asked().bind(records).alone)
        if (
            isinstance(request, Request)
            and state["mechanism"] == "permute_and_flip"
            and has_many_answers(request)
        ):
            reading.wrong["mechanism"] = MANY
        if request is not None and not isinstance(request, Request):
            reading.wrong["mechanism"] = SUMS
        return (None, reading.wrong) if reading.wrong else (inputs, {})


def has_many_answers(request: Request) -> bool:
    """Whether there are so many possible answers that a law over each of them would take too long."""
    low, high = request.frame.answers.support
    return low is None or high is None or high - low > MOST_POINTS


class _Reading:
    """Reads the fields of one state, and keeps the errors by field."""

    def __init__(self, state: State) -> None:
        self.state, self.wrong = state, dict[str, str]()

    def checked(self, name: str, check: Callable[[], Any]) -> Any:
        """Return the result of ``check``, or None if it raises an error.

        The error belongs to the field that it names. If it names none, it belongs to the field ``name``.
        """
        if self.wrong.get(name):
            return None
        try:
            return check()
        except NoisewiseError as error:
            field, text = error_beside(error, name)
            self.wrong.setdefault(field, text)
            return None

    def number(self, name: str, *, needed: bool = False) -> Number | None:
        """Return the number in a field. Whole numbers stay whole, as they decide which answers are possible."""
        text = self.state[name].replace("_", "").replace("\N{NARROW NO-BREAK SPACE}", "").replace(" ", "")
        if not text and not needed:
            return None
        read = parsed(text)
        if read is None:
            self.wrong[name] = "must be a number such as 100, 0.5 or 1/3" if text else "must be given"
        return read

    def shape(self, column: Callable[[str], Floats]) -> Any:
        """Return the public guess of the records: a shape with two numbers, a list of numbers, or a file's column."""
        match self.state["source"]:
            case "shape":
                first, second = self.number("first", needed=True), self.number("second", needed=True)
                shape = (self.state["shape"], first, second)
                return None if self.wrong else self._named("first", lambda: Shaped.of(shape) and shape)
            case "sample":
                return self._named("sample", lambda: numbers_in(self.state["sample"]))
            case "file":
                return self._named("column", lambda: column(self.state["column"]))
        self.wrong["source"] = "must be a shape, a sample or a file"
        return None

    def _named(self, name: str, check: Callable[[], Any]) -> Any:
        try:
            return check()
        except NoisewiseError as error:
            self.wrong[name] = error_beside(error, name)[1]
            return None


def error_beside(error: NoisewiseError, name: str) -> tuple[str, str]:
    """Return the field that an error names, and the text of the error. If it names no field, return ``name``."""
    what = python_text(error.what)
    known = {*DEFAULTS, *FIELDS} | {each[4:] for each in State.of({}).fields if each.startswith("own-")}
    field = FIELDS.get(what, what if what in DEFAULTS else f"own-{what}" if what in known else name)
    return field, str(error)


def parsed(text: str) -> Number | None:
    """Return the number in a text, or None if there is none, or if it is too long, too large or too small."""
    try:
        read = number("it", text) if len(text) <= LONGEST else None
    except ParameterError:
        return None
    if isinstance(read, float) or (isinstance(read, Decimal) and abs(read.adjusted()) > FURTHEST):
        return None
    return read


def numbers_in(text: str) -> list[float]:
    """The numbers of a pasted sample, between blanks, commas, semicolons and new lines."""
    if len(text) > LONGEST_SAMPLE:
        raise ParameterError(
            "sample",
            f"must have at most {LONGEST_SAMPLE:,} letters here",
            got=f"{len(text):,}",
            fix="start the explorer with a file",
        ) from None
    words = re.split(r"[\s,;]+", text.strip())
    if words == [""]:
        raise ParameterError("sample", "must hold a number at least") from None
    numbers = list[float]()
    for word in words:
        if (read := parsed(word)) is None:
            raise ParameterError("sample", "must hold numbers only", got=describe(word[:20])) from None
        numbers.append(float(read))
    return numbers


def _chance(given: Number | None) -> Fraction:
    chance = Fraction(0 if given is None else given)
    if not 0 < chance < 1:
        raise ParameterError("delta", "must be above 0 and below 1", got=describe(given)) from None
    return chance
