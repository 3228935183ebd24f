"""The price of a study and how good its answers will be, before it is paid for; and its answers on public data."""

from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from noisewise.dataset.batches import OfColumns
from noisewise.dataset.timed import translate
from noisewise.errors import NoisewiseError, ParameterError
from noisewise.kernel.losses import ZCDP, ApproxDP, Loss
from noisewise.ledger.amounts import Budget, above
from noisewise.ledger.composition import compose
from noisewise.planning.error_on_data import simulated
from noisewise.planning.plan import plan
from noisewise.planning.plan_table import aligned, promised
from noisewise.study.binding import BoundQuestion, BoundStudy, bound_without_data, opened

if TYPE_CHECKING:
    from noisewise.study.study import Study


@dataclass(frozen=True, slots=True, repr=False)
class StudyPrice:
    """The cost of each question, and of all together. ``print(price)`` prints a table.

    Attributes:
        losses: The loss of each question, by its name.
        promises: How far each answer is from the true one with probability 95%: in its unit as ``error``, else in
            ``people`` or, in groups, ``records`` that would have to change.
        total: The loss of all questions, which is debited at once.
        budget: The budget of the ledger; None if the study does not say.
    """

    losses: dict[str, Loss]
    promises: dict[str, dict[str, Any]]
    total: Loss
    budget: Budget | None

    @classmethod
    def of(cls, study: "Study") -> "StudyPrice":
        bound = bound_without_data(study)
        return cls(
            {each.asked.name: each.payable.loss for each in bound.questions},
            {each.asked.name: _promise(each, bound, study) for each in bound.questions},
            bound.together.loss,
            study.budget,
        )

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The table, a dictionary for each question and one for all."""
        rows = [
            {"name": name, **_currencies(loss), **self.promises[name]} for name, loss in self.losses.items()
        ]
        return [*rows, {"name": "together", **_currencies(self.total)}]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        return {
            "questions": {
                name: {"loss": loss.to_dict(), **_currencies(loss), **self.promises[name]}
                for name, loss in self.losses.items()
            },
            "together": {"loss": self.total.to_dict(), **_currencies(self.total)},
            "budget": None if self.budget is None else self.budget.to_dict(),
        }

    def __str__(self) -> str:
        lines = ["with probability 95% at most so far from the true answer", aligned(self.rows)]
        if isinstance(self.budget, ApproxDP):
            spent = compose(self.total).as_approx(self.budget.delta)
            lines.append(f"together with delta {above(spent.delta)}: epsilon {above(spent.epsilon)}")
        if self.budget is not None:
            lines.append(f"the ledger's budget: {self.budget}")
        return "\n".join(lines)

    __repr__ = __str__


def _currencies(loss: Loss) -> dict[str, str]:
    if isinstance(loss, ApproxDP):
        return {"epsilon": above(loss.epsilon), "delta": above(loss.delta)}
    if isinstance(loss, ZCDP):
        return {"rho": above(loss.rho)}
    return {"epsilon": above(loss.as_pure().epsilon), "rho": above(loss.as_zcdp().rho)}


def _promise(bound: BoundQuestion, study: BoundStudy, source: "Study") -> dict[str, Any]:
    """Return how good an answer will be, or an empty dictionary if that is not known without data."""
    dataset, grouped = study.dataset, bound.grouped
    timed = translate(bound.question.paid_from(dataset.ledger), dataset._table)
    asked = timed.question
    try:
        planned = plan(
            asked,
            neighbors=dataset.neighbors,
            contributions=dataset._search or dataset.contributions,
            size=source.data.get("size") if grouped is None else None,
            groups=None if grouped is None else len(grouped),
            per_group=None if grouped is None else grouped._dataset.per_group,
            max_groups=None if grouped is None else grouped._dataset.max_groups,
        )
    except NoisewiseError:
        return {}
    promise = promised(planned)
    if timed.clock is not None and "error" in promise:  # the error is a number of microseconds
        promise["error"] = str(timedelta(microseconds=ceil(promise["error"])))
    return promise


@dataclass(frozen=True, slots=True, repr=False)
class StudySimulation:
    """Not private: the answers of a study about public data.

    Attributes:
        answers: By the names of questions: how far answers are from the true one, or, if that is unknown, one answer as
            it would be published.
    """

    answers: dict[str, str]

    @classmethod
    def of(cls, study: "Study", sample: str | PathLike[str] | None) -> "StudySimulation":
        if sample is not None:
            source = fspath(sample)
        elif "sample" in study.data:
            source = study.path(study.data["sample"])
        else:
            raise ParameterError(
                "sample", "must be a file that anybody may see", fix="say it in [data] of the study, or here"
            ) from None
        bound = BoundStudy.of(study, opened(study, source, study.budget))
        return cls({each.asked.name: _simulated(each, bound) for each in bound.questions})

    def __str__(self) -> str:
        return "\n".join(f"{name}: {text}" for name, text in self.answers.items())

    __repr__ = __str__


def _simulated(bound: BoundQuestion, study: BoundStudy) -> str:
    payable = bound.payable.inner if isinstance(bound.payable, OfColumns) else bound.payable
    if bound.grouped is None:
        try:
            return str(simulated(payable))
        except NoisewiseError:
            pass
    people: str | None = study.dataset.unit
    answer, *_ = str(bound.answer(None, people)).partition("\n  privacy ")  # a receipt would claim privacy
    return f"not private: {answer}"
