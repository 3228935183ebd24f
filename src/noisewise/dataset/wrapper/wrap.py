"""Ask for a private answer of any function of Python."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import Parameter, signature
from typing import Any, Literal

from noisewise.calls import checked_call, without_frames
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.wrapper.copies import IN_MEMORY, CopiedRows, rows_of
from noisewise.dataset.wrapper.wrapped import Progress, Wrapped
from noisewise.errors import ParameterError, ParameterTypeError, SchemaError, Words
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.exact import Number
from noisewise.kernel.prices import Price
from noisewise.kernel.settle import Payer, settle
from noisewise.ledger.refusals import Suggesting
from noisewise.questions.payable import WithNotes, check_payer
from noisewise.questions.question import Capabilities, Kind
from noisewise.questions.terms import price_of
from noisewise.results.release import Release
from noisewise.tables.local import LocalTable


@without_frames
@checked_call("wrap")
def wrap(
    f: Callable[[Any], Any],
    data: Any,
    *,
    bounds: Any,
    epsilon: Number | None = None,
    rho: Number | None = None,
    granularity: Number | Mapping[Any, Number] | None = None,
    neighbors: Neighbors | None = None,
    contributions: int | None = None,
    ledger: Payer | None = None,
    blocks: int | None = None,
    rounds: int | None = None,
    workers: int | None = None,
    timeout: Number | None = None,
    progress: Progress | None = None,
    method: Literal["blocks", "removals"] = "blocks",
    depth: int | None = None,
    most: int | None = None,
) -> Release:
    """A private answer of any function of the records: a score, a ratio of medians, a fitted parameter.

    The function is asked of random blocks of the records, and the median of its values is released. It should say
    about the same of a part of the records as of all of them. It runs in processes of its own, one for each block.
    Whatever it raises, prints or keeps stays there, and where it gives no number, the lower bound stands for its value.
    It must not read the data except by its argument. How long it takes, and what it does to files and to other
    computers, is not hidden.

    Args:
        f: A function that takes records, in the type of ``data``, and returns a number. It may return several, as a
            dictionary or a sequence.
        data: A list, a NumPy array, a frame or series of pandas, Polars or PyArrow, or a `Dataset` of a frame in
            memory. In a Dataset with a unit, all rows of a person stay together.
        bounds: The lowest and highest possible answer, known without looking at the data. For several numbers, a
            dictionary or a list of such pairs; they share the price.
        granularity: The spacing of possible answers, by default about a thousandth of the range. A coarser step needs
            fewer blocks.
        neighbors: As in other questions; a Dataset says its own.
        contributions: The most records one person can have; a Dataset says its own.
        ledger: Where the loss is paid from, before the data is read; a Dataset says its own.
        blocks: How many blocks there are in each round. By default it follows from the price and the granularity:
            about 19 at epsilon 1. Never choose it by the number of records if that is secret.
        rounds: How often the records are assigned to blocks anew, by default 8.
        workers: How many fresh processes evaluate at once; the function must be one that they can import. By default
            one process evaluates, which is a copy of this one, and any function will do.
        timeout: For how many seconds the function may think about one block.
        progress: A function that is called with a text and a fraction after each block.
        method: ``"removals"`` is for few records and a large epsilon. The function is asked of all subsets that lack at
            most ``depth`` people.
        depth: How many removals are tried. By default so many that the answer is surely a value that they reach.
        most: For removals: the most people that there can be, a public number. If there are more, so many are chosen
            by chance.

    Examples:
        >>> nws.wrap(lambda pay: np.quantile(pay, 0.9) / np.median(pay), incomes, bounds=(1, 10), epsilon=1)
    """
    price = price_of(epsilon, rho)
    terms = {"bounds": bounds, "granularity": granularity, "blocks": blocks, "rounds": rounds}
    terms |= {"method": method, "depth": depth, "most": most}
    terms |= {"workers": workers, "timeout": timeout, "progress": progress}
    payer: Payer | None
    if isinstance(data, Dataset):
        for name, own in (("neighbors", neighbors), ("contributions", contributions), ("ledger", ledger)):
            if own is not None:
                raise ParameterTypeError(name, "must be said when the Dataset is made") from None
        rows, payer, notes, people = _rows_of(data), data.payer, data._notes, data.unit
        whom = {"neighbors": data.neighbors, "contributions": data.contributions}
    else:
        check_payer(ledger)
        rows, payer, notes, people = rows_of(data), ledger, (), None
        whom = {
            "neighbors": "add_remove" if neighbors is None else neighbors,
            "contributions": 1 if contributions is None else contributions,
        }

    def at(price: Price) -> Wrapped:
        return Wrapped.of(f, rows, epsilon=price, **whom, **terms)

    with Suggesting(price, at):
        wrapped = at(price)
        with wrapped.workers:
            release = settle(WithNotes(wrapped, notes), payer)
    return replace(release, people=people) if people is not None else release


def _rows_of(dataset: Dataset) -> CopiedRows:
    """The rows of a Dataset. All rows of a person take part, and stay together."""
    if dataset.contributions == "private":
        raise ParameterError(
            "contributions",
            "must be a number for wrap",
            got=Words("private"),
            why="all rows of a person take part, however many there are",
        ) from None
    table, choice = dataset._table, dataset.choice
    if not isinstance(table, LocalTable):
        raise SchemaError(
            "data",
            f"must be {IN_MEMORY}",
            got="a Dataset behind an engine",
            why="a function of Python reads rows in memory",
            fix="bring them into memory first, as .collect() or .toArrow() does",
        ) from None
    owners = table.owners(choice)
    return replace(rows_of(table.native_frame), owners=owners, people=choice is not None)


def _make(
    f: Any, *, neighbors: Any = "add_remove", contributions: Any = 1, **keywords: Any
) -> Callable[[Any], Wrapped]:
    """The question that lacks only its data, for plans and simulations."""
    return lambda data: Wrapped.of(
        f, rows_of(data), neighbors=neighbors, contributions=contributions, **keywords
    )


def _kind() -> Kind:
    own = signature(wrap)
    f, data, *rest = own.parameters.values()
    place = Parameter.POSITIONAL_OR_KEYWORD
    whom = {"neighbors": "add_remove", "contributions": 1}
    kept = [each.replace(default=whom.get(each.name, each.default)) for each in rest]
    seen = own.replace(parameters=[data.replace(kind=place), f.replace(kind=place), *kept])
    return Kind("wrap", _make, Capabilities(in_groups=False), seen, wrap.__doc__ or "", wrap)


wrap.kind = _kind()  # type: ignore[attr-defined]  # plans and simulations read it
