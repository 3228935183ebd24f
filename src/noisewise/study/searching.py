"""Search for the groups in the data, and then answer a question about them, with one debit for both.

The search is paid together with the question, before the data is read. A wrong question must be refused before that. So
the question is first bound to a stand-in: one group with a made-up key of the same types as the columns. If the search
finds no group, the answer about the stand-in is drawn and thrown away, and the table has no rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from noisewise.dataset.any_groups import in_any_groups, in_groups
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.grouped import Grouped
from noisewise.errors import NoisewiseError, python_text
from noisewise.kernel.losses import ZCDP, Loss
from noisewise.kernel.sampling import Bits
from noisewise.ledger.composition import sum_with_delta
from noisewise.questions.found_contributions import WithFoundContributions
from noisewise.questions.payable import Payable
from noisewise.questions.question import Question
from noisewise.questions.request import whatever_is_found
from noisewise.questions.terms import price_of
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.release import Release


@dataclass(frozen=True, slots=True, repr=False)
class SearchedGroups(Payable):
    """A question in groups that are searched for. ``inner`` is the same question about the stand-in."""

    inner: Payable
    selection: Payable

    @property
    def loss(self) -> Loss:
        loss = self.inner.loss
        if isinstance(self.selection, WithFoundContributions):  # it finds the question's limit, too
            loss = whatever_is_found(loss)
        return sum_with_delta(self.selection.loss, loss)

    @property
    def memo(self) -> str:
        return f"{self.selection.memo}; {self.inner.memo.replace(', in 1 groups', ', in these groups')}"

    @property
    def unit(self) -> str | None:
        return self.inner.unit

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        raise AssertionError("the groups must be found first")


def searched(
    dataset: Dataset, question: Question, by: tuple[str, ...], search: Mapping[str, Any]
) -> SearchedGroups:
    """Return the question with its ``search``, before they are paid: the epsilon or rho, and the delta. Refuse a wrong
    question or search."""
    try:
        price = price_of(search.get("epsilon"), search.get("rho"))
        selection = Grouped.selection_of(dataset, by, price, search["delta"])
    except NoisewiseError as error:
        what = python_text(error.what)
        named = "rho" if what == "epsilon" and "rho" in search else what
        raise error.with_fields(
            what=f"key_{named}" if what in ("epsilon", "rho", "delta") else error.what
        ) from None
    return SearchedGroups(in_any_groups(dataset, by, question), selection)


def answered(
    dataset: Dataset,
    question: Question,
    name: str,
    payable: SearchedGroups,
    receipt: object,
    bits: Bits | None,
) -> GroupedRelease:
    """Search for groups, and answer the question about the groups that are found. Call this only after the debit."""
    grouped = Grouped.of_selected(dataset, payable.selection.answer(receipt, bits=bits))
    if len(grouped):
        found = in_groups(grouped, question)
        assert _charge(found.loss) == _charge(payable.inner.loss), "all groups have one price"
        release = found.answer(receipt, bits=bits)
    else:
        release = _of_no_group(payable.inner.answer(receipt, bits=bits))
    return grouped._arrange(release, {name: release})


def _charge(loss: Loss) -> Fraction:
    """The epsilon of a loss, or its rho if it has no epsilon."""
    return loss.rho if isinstance(loss, ZCDP) else loss.as_pure().epsilon


def _of_no_group(release: Release) -> Release:
    """Return a release without groups: remove the answer about the stand-in."""
    interval = None if release.interval is None else replace(release.interval, low=(), high=())
    return replace(release, value=(), count=None if release.count is None else (), interval=interval)
