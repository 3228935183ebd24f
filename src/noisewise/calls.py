"""Errors for wrong calls. They name the keyword that is missing or misspelt. Python would only raise a TypeError.

`checked_call` wraps functions and methods, `checked_class` wraps classes. Creating an object costs one extra call of
Python: only a call that fails is compared with the signature. `without_frames` keeps data out of the traceback of an
error. `no_attribute` says what an unknown name probably meant. `deleted` names a replacement for a question that
noisewise no longer has.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError

P = ParamSpec("P")
Result = TypeVar("Result")
Class = TypeVar("Class", bound=type)

SIMILAR = 0.8
"""How similar a keyword must be to a known one to count as a misspelling of it."""

FEW = 16
"""An error lists all arguments of a function that has no more than this."""

BOUNDS = "bounds=(lowest, highest)"
GROUPS = 'Dataset(frame).group_by("dept", keys=["A", "B"])'
BUDGET = "budget=PureDP(1)"
MEANT: dict[str, tuple[str, ...]] = {
    "epsilon": ("eps", "e", "privacy", "privacy_loss", "privacy_budget", "budget", "epsilon_", "varepsilon"),
    "bounds": ("range", "clip", "limits", "bound", "clamp", "interval_bounds"),
    BOUNDS: (
        "lower",
        "upper",
        "low",
        "high",
        "lo",
        "hi",
        "min",
        "max",
        "lower_bound",
        "upper_bound",
        "lowest",
        "highest",
    ),
    GROUPS: ("by", "groupby", "group_by", "group", "groups", "keys"),
    "granularity": ("step", "steps", "resolution", "precision", "rounding", "digits"),
    "contributions": ("max_contributions", "m", "records", "rows_per_person", "max_rows"),
    "mechanism": ("noise", "method", "mech"),
    "neighbors": ("adjacency", "neighbours", "neighboring", "relation"),
    "ledger": ("accountant", "account", "odometer", "purse"),
    "size": ("n", "count", "nrows", "length", "rows"),
    "interval": ("confidence", "ci", "confidence_interval", "level"),
    "separator": ("sep", "delimiter", "delim"),
    "column": ("data", "name", "col", "columns", "field", "variable"),
    "types": ("dtype", "dtypes", "schema", "columns", "type"),
    "format": ("compression", "kind", "filetype"),
    "unit": ("id", "person", "user", "user_id", "privacy_unit", "unit_column", "privacy_id"),
    "keys": ("values", "categories", "levels", "groups"),
    "data": ("column", "values", "x", "array", "series"),
    BUDGET: ("epsilon", "eps", "rho", "delta", "limit", "total"),
    "budget": ("privacy_budget", "loss"),
    "rho": ("zcdp", "r"),
    "delta": ("del", "d"),
    "q": ("p", "quantile", "percentile", "probability", "prob"),
    "qs": ("q", "quantiles", "percentiles", "probs"),
    "alpha": ("trim", "fraction", "share", "proportion_to_cut"),
    "sensitivity": ("sens", "delta_f", "l1"),
    "path_or_url": ("path", "file", "filename", "url"),
    "path": ("file", "filename"),
    "source": ("path", "file", "filename"),
}
"""The keywords of this library, each with the names that other libraries have for it."""

NEEDED = {
    "bins": ", the edges of the bins, as in bins=[0, 20, 40]",
    "bounds": ", the lowest and highest value you know without looking at the data, as in bounds=(0, 120)",
    "categories": ", all values there can be, known without looking at the data; for crosstab, a list for each column",
}
"""What an argument is that was left out."""


def check_call(
    name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any], fix: str = ""
) -> None:
    """Raise an error if a call is wrong. ``fix`` is advice that is added to every such error."""
    if _is_right(signature, args, kwargs):
        return
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        mistake = _mistake(str(error), kwargs, signature)
    else:
        return
    raise ParameterTypeError(f"{name}()", mistake, fix=fix) from None


def _is_right(signature: inspect.Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call is certainly right. If not, ``Signature.bind`` decides, which takes ten times as long."""
    named = 0
    for place, (name, parameter) in enumerate(signature.parameters.items()):
        by_place = place < len(args)
        if name in kwargs:
            named += 1
        elif not by_place and parameter.default is inspect.Parameter.empty:
            return False
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            if parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD or (by_place and name in kwargs):
                return False
        elif by_place:
            return False
    return named == len(kwargs) and len(args) <= len(signature.parameters)


def checked_call(name: str) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """A decorator for functions and methods: a wrong call raises our error. The error names the function ``name``."""

    def wrap(function: Callable[P, Result]) -> Callable[P, Result]:
        signature = inspect.signature(function)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> Result:
            check_call(name, signature, args, kwargs)
            return function(*args, **kwargs)

        return call

    return wrap


def without_frames(function: Callable[P, Result]) -> Callable[P, Result]:
    """A decorator for public functions: their errors drop the frames inside, whose local variables hold the data.

    Error trackers print local variables, and a kept error keeps its frames. Errors of other libraries are not changed.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except (NoisewiseError, KeyboardInterrupt, SystemExit) as error:
            del args, kwargs
            raise error.with_traceback(None) from None

    return call


def checked_class(fix: str = "") -> Callable[[Class], Class]:
    """A decorator for classes: a wrong call raises our error. ``fix`` says how an object should be made instead."""

    def wrap(cls: Class) -> Class:
        init: Callable[..., None] = cls.__init__  # type: ignore[misc]

        @wraps(init)
        def call(self: object, *args: Any, **kwargs: Any) -> None:
            try:
                return init(self, *args, **kwargs)
            except TypeError as error:
                failed = error
            if not isinstance(failed, NoisewiseError):
                check_call(type(self).__name__, inspect.signature(init), (self, *args), kwargs, fix)
            raise failed

        cls.__init__ = call  # type: ignore[misc]
        return cls

    return wrap


def _mistake(error: str, kwargs: Mapping[str, object], signature: inspect.Signature) -> str:
    """Say what is wrong with a call, and what to write instead. A misspelt keyword is named before other mistakes."""
    known = [name for name in signature.parameters if name not in ("self", "cls")]
    for name in kwargs:
        if name == "rho" and "smooth" in known and "epsilon" in known and "bounds" not in known:
            return "got an unexpected keyword argument 'rho', now smooth=: rho is a price in zCDP"
        if name not in known:
            meant = _meant(name, known)
            hint = f"; did you mean {meant}?" if meant else _takes(known)
            return f"got an unexpected keyword argument '{name}'{hint}"
    if error == "too many positional arguments":
        if "epsilon" in known and signature.parameters["epsilon"].kind is inspect.Parameter.KEYWORD_ONLY:
            return f"{error}: bounds, epsilon and the rest are keywords, as in bounds=(0, 100), epsilon=1"
        return f"{error}{_takes(known)}"
    missing = error.removeprefix("missing a required argument: ").strip("'")
    return f"{error}{NEEDED.get(missing, '')}"


def _takes(known: list[str]) -> str:
    """A list of all arguments, if they are few."""
    if not known:
        return "; it takes none"
    return f"; it takes {', '.join(known)}" if len(known) <= FEW else ""


def _meant(name: str, known: list[str]) -> str:
    """The keyword to write instead of an unknown one: a keyword with a similar name, or with the same meaning."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, 1, SIMILAR)
    called_so = [meant for meant, names in MEANT.items() if name.lower() in names]
    phrases = {
        BOUNDS: "bounds" in known,
        GROUPS: "epsilon" in known and "keys" not in known,
        BUDGET: "budget" in known and "epsilon" not in known,
    }
    others = [each for each in called_so if each in known or phrases.get(each)]
    chosen = next(iter([*close, *others]), "")
    return f"'{chosen}'" if chosen in known else chosen


INSTEAD = {  # deleted questions, and what to ask instead
    "expectile": "ask huber_mean or quantile instead",
    "k_stars": "ask triangles or degree_quantile instead",
    "spanning_tree_cost": "nothing takes its place",
    "transitivity": "ask triangles or degree_quantile instead",
}


CALLED = {  # our names, each with the names that other libraries have for it
    "agg": ("aggregate",),
    "count": ("size", "shape", "len", "length", "height", "nrow", "nrows"),
    "count_distinct": ("nunique", "n_unique", "unique", "distinct"),
    "covariance": ("cov",),
    "describe": ("summary", "summarize", "summarise"),
    "group_by": ("groupby",),
    "histogram": ("hist",),
    "linear_regression": ("ols", "regression", "polyfit"),
    "mean": ("average", "avg"),
    "most_common": ("mode", "top"),
    "pearson": ("corr", "correlation"),
    "quantile": ("percentile",),
    "quantiles": ("percentiles",),
    "std": ("stdev", "stddev", "sd"),
    "value_counts": ("counts", "value_count"),
    "variance": ("var",),
    "where": ("filter", "query", "subset"),
}


def no_attribute(thing: str, name: str, known: Iterable[str]) -> str:
    """The error for a name that ``thing`` does not have: what was deleted, or the ``known`` name that was meant."""
    from difflib import get_close_matches

    names = [each for each in known if not each.startswith("_")]
    called_so = [ours for ours, theirs in CALLED.items() if name.lower() in (ours, *theirs)]
    close = [] if name.startswith("_") else get_close_matches(name, names, 1)
    known_so = [ours if ours in names else f"Dataset(frame).{ours}" for ours in called_so]
    hint = "".join(f"; did you mean {each}?" for each in [*known_so, *close][:1])
    return str(deleted(name) or f"{thing} has no attribute {name!r}{hint}")


def deleted(name: str) -> ParameterError | None:
    """The error for a question that noisewise no longer has; None if it never had a question of this name."""
    name = name.replace("-", "_")
    if name not in INSTEAD:
        return None
    return ParameterError("noisewise", f"has no question '{name}' any more", fix=INSTEAD[name])
