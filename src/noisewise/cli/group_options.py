"""The options for groups: ``--by`` names columns; ``--keys`` declares the keys, or other options pay to find them."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from noisewise.cli.error_text import NAMES, naming
from noisewise.cli.options import GROUPING
from noisewise.errors import ParameterError, ReleaseFailed
from noisewise.questions.question import Question
from noisewise.questions.terms import price_of
from noisewise.questions.typed import Given, Types, keys, number

if TYPE_CHECKING:
    from noisewise.dataset.dataset import Dataset
    from noisewise.dataset.grouped import Grouped
    from noisewise.results.release import Release

EXAMPLE = "--by dept --keys a,b,c"
SEARCH = {"epsilon": "--key-epsilon", "rho": "--key-rho", "delta": "--key-delta"}
"""The options for the price of a search for groups."""


class Grouping(NamedTuple):
    """The groups of a command."""

    by: list[str]
    keys: list[str]
    cost: dict[str, str]
    """The price of finding the groups, epsilon or rho, and delta, if the keys are not declared."""

    @classmethod
    def of(cls, given: Given) -> "Grouping | None":
        """Return the groups of a command, or None if it has none. Options that do not go together are refused."""
        options = [NAMES[name] for name in GROUPING if given.get(name)]
        by, keys = given.get("by") or [], given.get("keys") or []
        if options and not by:
            raise ParameterError(
                "--by", f"must name the columns that make groups, as in {EXAMPLE}", got=f"{options[0]} alone"
            ) from None
        cost = {name: text for name in SEARCH if (text := given.get(f"key_{name}")) is not None}
        if len(set(by)) < len(by):
            raise ParameterError(
                "--by", "must name different columns", got=" and ".join(map(repr, by))
            ) from None
        if keys and cost:
            raise ParameterError(
                f"--key-{min(cost)}",
                "must be left out where --keys are said",
                why="it pays for finding the groups",
            ) from None
        if {"epsilon", "rho"} <= set(cost):
            raise ParameterError("--key-rho", "must be left out where --key-epsilon is said") from None
        if by and not keys and (len(cost) < 2 or "delta" not in cost):
            raise ParameterError(
                "--keys",
                "must say which groups there are, known without looking at the data, as in --keys a,b,c",
                fix="or --key-epsilon or --key-rho, and --key-delta, at what cost to find out",
            ) from None
        return cls(by, keys, cost) if by else None

    def of_dataset(self, dataset: "Dataset", types: Types, found: "Callable[[Release], None]") -> "Grouped":
        """Return the groups of a dataset. If their keys are not declared, pay for finding them, and pass that release
        to ``found``."""
        if self.keys:
            return dataset.group_by(*self.by, keys=keys(self.by, self.keys, types))
        with naming(SEARCH):
            grouped = dataset.group_by(*self.by, **self._cost())
        if grouped.selection is not None:
            found(grouped.selection)
        if not len(grouped):
            raise ReleaseFailed(
                "no group has enough people to be shown, so nothing was asked; the search was paid and its debit stands"
            ) from None
        return grouped

    def check_search(self, dataset: "Dataset", questions: Iterable[Question]) -> None:
        """Refuse questions that could not be asked in the groups of a search, or that could not be paid after it.

        This is checked before the search is paid, as a later refusal would waste its price.
        """
        if self.keys:
            return
        from noisewise.dataset.any_groups import in_any_groups
        from noisewise.dataset.grouped import Grouped
        from noisewise.ledger.composition import sum_with_delta
        from noisewise.ledger.ledger import Ledger

        with naming(SEARCH):
            cost = self._cost()
            price = price_of(cost.get("epsilon"), cost.get("rho"))
            search = Grouped.selection_of(dataset, tuple(self.by), price, cost["delta"])
        losses = [in_any_groups(dataset, tuple(self.by), question).loss for question in questions]
        if isinstance(dataset.ledger, Ledger):
            dataset.ledger.check(search.loss, sum_with_delta(*losses))

    def _cost(self) -> dict[str, Any]:
        return {name: number(name, text) for name, text in self.cost.items()}
