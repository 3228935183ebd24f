"""Which mechanism is best for a question? All are compared on the same public data, at equal epsilon or equal rho.

Errors are computed from the exact law of the answer. If an answer has no law that can be computed, 200 answers are
drawn, as in `simulate`. A comparison holds the answer without noise, so it says that it is not private.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import timedelta
from fractions import Fraction
from time import perf_counter
from typing import Any, ClassVar, Literal, Unpack

from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, BoundedRange, PureDP
from noisewise.kernel.mechanisms import PermuteAndFlip
from noisewise.kernel.numbers.exact import Number, describe, spell
from noisewise.kernel.prices import Rho, pure_epsilon
from noisewise.paper.family import FAMILY
from noisewise.planning.asked import Asked, Said
from noisewise.planning.distances import about, distance, in_unit, unit_of
from noisewise.planning.plan_table import aligned
from noisewise.planning.readings.read_law import read_law
from noisewise.planning.sweep import prices_in
from noisewise.questions.choice import NAMES, PRICED_IN_RHO, SHORT
from noisewise.questions.keywords import Unpriced, with_open_signature
from noisewise.questions.noise_interval import FromSums
from noisewise.questions.payable import Payable
from noisewise.questions.request import Request
from noisewise.results.pictures.charts import Line, line_chart
from noisewise.results.pictures.digits import to_three
from noisewise.results.pictures.html import fragment, heading, paragraph, table
from noisewise.results.pictures.svg import Picture
from noisewise.tables.time.clock import Clock

MOST = 200
"""The most rows of one comparison, a row for each price and mechanism."""

PATIENCE = 2**16
"""Permute-and-flip throws a coin for each possible answer. If a question has more answers than this number, the
mechanism is compared only if the user names it."""

TIMED = 3
"""The number of draws that are timed. The time of the fastest draw is reported."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One mechanism at one price.

    Attributes:
        mechanism: The name of the mechanism, and whether ``auto`` would choose it.
        epsilon: The epsilon of the mechanism. None for Gaussian noise, which has none.
        rho: The cost in a zCDP budget, rounded up; None if the guarantee has no such price.
        guarantee: The privacy that is guaranteed to one person, in words.
        mean_error: The mean distance of a release from the true answer.
        error_95: The distance from the true answer that a release keeps with probability 95%.
        bias: How far above the true answer a release is on average; None if that is not known.
        draws: How many draws were measured; None if the errors are computed from the law.
        seconds: How long it took to read the data and draw once.
        released: Whether the mechanism can release this answer; if not, it is here for comparison only.
    """

    mechanism: str
    epsilon: Fraction | None
    rho: Fraction | None
    guarantee: str
    mean_error: Any
    error_95: Any
    bias: Any
    draws: int | None
    seconds: float
    released: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class NotPrivateComparison:
    """Not private: the errors of several mechanisms on the same public data, each at the same prices.

    ``print(comparison)`` prints a table, `plot` draws it, and ``comparison.frame`` is a data frame.

    Attributes:
        private: Always False: nothing here is noisy, and nothing was paid for it.
        question: The name of the question.
        answer: The true answer without noise.
        equal: The price that is the same for all mechanisms: ``"epsilon"`` or ``"rho"``.
        prices: The epsilons, or the rhos.
        each: One result for each price and mechanism.
        left_out: Mechanisms that cannot answer the question, each with the reason.
    """

    private: ClassVar[Literal[False]] = False
    question: str
    answer: Any
    equal: Literal["epsilon", "rho"]
    prices: tuple[Fraction, ...]
    each: tuple[tuple[Fraction, Compared], ...]
    left_out: dict[str, str]

    def __len__(self) -> int:
        return len(self.each)

    def __iter__(self) -> Iterator[Compared]:
        return (compared for _, compared in self.each)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table, each a dictionary."""
        names = [each.name for each in fields(Compared)]
        return [
            {f"equal_{self.equal}": price, **{name: getattr(compared, name) for name in names}}
            for price, compared in self.each
        ]

    @property
    def frame(self) -> Any:
        """A data frame with a row for each price and mechanism, made by the first data frame library installed."""
        from noisewise.results.tidy import frame_of_columns

        rows = [{name: as_number(value) for name, value in row.items()} for row in self.rows]
        return frame_of_columns({name: [row[name] for row in rows] for name in rows[0]})

    def __str__(self) -> str:
        return "\n".join([self._head(), aligned(self._cells()), *self._notes()])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        cells = self._cells()
        names = list(cells[0])
        right = [name not in ("mechanism", "guarantee") for name in names]
        rows = [[str(row[name]) for name in names] for row in cells]
        notes = [paragraph(each) for each in self._notes()]
        return fragment([heading(self._head(), 4), table(names, rows, right), *notes])

    def plot(self) -> Picture:
        """A picture of the mean error of each mechanism at each price; both axes are logarithmic."""
        unit = unit_of([each.mean_error for each in self])
        lines: dict[str, list[tuple[float, float]]] = {}
        for price, each in self.each:
            name = each.mechanism.partition(" ")[0]
            lines.setdefault(name, []).append((float(price), in_unit(each.mean_error, unit)))
        measured = f"mean error in {unit[0]}s" if unit else "mean error"
        return line_chart(
            [Line(name, tuple(points)) for name, points in lines.items()],
            title=f"{self.question}: {measured} at equal {self.equal}",
            note="NOT PRIVATE: computed from public data",
            across=self.equal,
            log=True,
        )

    def _head(self) -> str:
        return f"not private: {self.question} = {self.answer}, mechanisms at equal {self.equal}"

    def _cells(self) -> list[dict[str, str]]:
        return [
            {
                self.equal: spell(price),
                "mechanism": each.mechanism if each.released else f"{each.mechanism} *",
                **self._other_price(each),
                "mean error": about(each.mean_error),
                "95% within": about(each.error_95),
                "bias": "" if each.bias is None else about(each.bias, signed=True),
                "computed": "exactly" if each.draws is None else f"{each.draws} draws",
                "one draw": f"{to_three(1000 * each.seconds)} ms",
                "guarantee": each.guarantee,
            }
            for price, each in self.each
        ]

    def _other_price(self, each: Compared) -> dict[str, str]:
        """Return the price that differs between mechanisms: rho if epsilons are equal, epsilon if rhos are equal."""
        if self.equal == "rho":
            return {"epsilon": "" if each.epsilon is None else to_three(float(each.epsilon))}
        return {"rho": "" if each.rho is None else to_three(float(each.rho))}

    def _notes(self) -> list[str]:
        notes = [f"left out: {name}, as {reason}" for name, reason in self.left_out.items()]
        if any(not each.released for each in self):
            notes.insert(0, "* for comparison only: noisewise does not release answers by it")
        return notes


def as_number(value: object) -> object:
    """Convert a value for a data frame or JSON: a fraction to a float, and a duration to its number of seconds."""
    if isinstance(value, Fraction):
        return float(value)
    return value.total_seconds() if isinstance(value, timedelta) else value


@with_open_signature
def compare(
    statistic: Said,
    data: Any,
    epsilons: Iterable[Number] | None = None,
    mechanisms: Iterable[str] | None = None,
    *,
    rhos: Iterable[Number] | None = None,
    **keywords: Unpack[Unpriced],
) -> NotPrivateComparison:
    """Not private: the errors of several mechanisms on public or synthetic data, at equal prices.

    Never use it on private data: the result holds the answer without noise, and says of itself that it is not private.
    ``print(comparison)`` prints a table, ``comparison.frame`` holds it, and ``comparison.plot()`` draws it.

    Args:
        statistic: What will be asked, in any of the ways that `simulate` takes.
        data: Data that anybody may see; a tuple of columns if the question takes several.
        epsilons: The prices to compare at: every mechanism is purely epsilon-DP. By default 0.1 to 5.
        mechanisms: The names of mechanisms; by default all that can answer the question. More names can be compared,
            but release no answer: ``above_threshold``, ``asymmetric``, ``propose_test_release``, ``smooth_sensitivity``
            and ``smooth_sensitivity_laplace``, and ``shifted_inverse`` for counts and sums.
        rhos: Prices in zero-concentrated differential privacy, instead of ``epsilons``. Every mechanism is asked at
            this rho, Gaussian noise too.

    Examples:
        >>> print(nws.compare("median", [31, 35, 44, 52, 61], bounds=(0, 100), epsilons=[0.5, 1]))
    """
    if "mechanism" in keywords:
        raise ParameterError("mechanism", "must be left out", fix="say mechanisms=[...]") from None
    trial = Trial.of(statistic, data, dict(keywords))
    return comparison(trial, epsilons, mechanisms, rhos)


@dataclass(frozen=True, slots=True)
class Trial:
    """A question about public data that lacks only its price and its mechanism."""

    bind: Callable[..., Payable]
    clock: Clock | None = None

    @classmethod
    def of(cls, statistic: Said, data: Any, keywords: dict[str, Any]) -> "Trial":
        asked = Asked.of("compare", statistic, (), {"epsilon": 1, **keywords})
        if "mechanism" not in asked.question.kind.parameters.parameters:
            raise ParameterError(
                "a comparison", "must be about a question that takes a mechanism", got=asked.name
            ) from None
        columns = asked.on_public_data(data)
        return cls(lambda **price: asked.at(**{"epsilon": None, **price}).bind(*columns), asked.clock)


def comparison(trial: Trial, epsilons: object, mechanisms: object, rhos: object) -> NotPrivateComparison:
    """Compare mechanisms on a question that was checked. This function checks the prices and the mechanisms."""
    equal, prices = prices_in(epsilons, rhos)
    best = trial.bind(**{equal: Fraction(1)}, mechanism="auto").alone  # refuses a wrong question
    names = _names(mechanisms, trial, equal, best)
    if len(prices) * len(names) > MOST:
        raise ParameterError(
            "a comparison", f"must have at most {MOST} rows", got=f"{len(prices) * len(names):,}"
        ) from None
    each: list[tuple[Fraction, Compared]] = []
    left_out: dict[str, str] = {}
    first: NoisewiseError | None = None
    answer = None
    for price in prices:
        preferred = _preferred(trial, **{equal: price})
        for name in names:
            try:
                if name in FAMILY and not _is_released(trial, name):
                    answer, compared = _of_family(trial, name, price, equal)
                else:
                    payable = trial.bind(**{equal: price}, mechanism=name)
                    if mechanisms is None:
                        _check_patience(payable)
                    answer, compared = _measured(payable.alone, name, preferred, trial.clock)
            except NoisewiseError as error:
                first = first or error
                left_out[name] = str(error)
                continue
            each.append((price, compared))
    if first is not None and not each:
        raise first
    said = answer if trial.clock is None else trial.clock.value(answer)
    return NotPrivateComparison(best.name, said, equal, prices, tuple(each), left_out)


def _preferred(trial: Trial, **price: Fraction) -> str | None:
    """The mechanism that auto takes at this price; None if it answers otherwise, or not at all."""
    try:
        return _name_of(trial.bind(**price, mechanism="auto").alone)
    except NoisewiseError:
        return None


def _check_patience(payable: Payable) -> None:
    """Raise an error if the mechanism would take long. This is not called if the user named the mechanisms."""
    inner = payable.alone
    if not isinstance(inner, Request) or not isinstance(inner.mechanism, PermuteAndFlip):
        return
    if (points := inner.frame.answers.points) > PATIENCE:
        raise ParameterError(
            "mechanisms", "must name permute_and_flip to wait for it", got=f"{points:,} answers"
        ) from None


def _measured(
    payable: Payable, name: str, preferred: str | None, clock: Clock | None
) -> tuple[Any, Compared]:
    """Return the true answer and the errors of one mechanism. They are computed from the law of the answer. If it has
    no law that can be computed, they are measured in draws.
    """
    chosen, draws, (epsilon, guarantee) = _name_of(payable) or name, None, _guaranteed(payable)
    if isinstance(payable, Request):
        law = read_law(payable.look())
        answer, (mean, most, bias) = _whole_or_float(law.centre * law.granularity), law.errors(0.95)
    else:
        measured = payable.measured()
        answer, draws, bias = measured.answer, measured.draws, None
        mean, most = measured.mean, measured.within(0.95)
    return answer, Compared(
        mechanism=f"auto ({chosen})" if name == "auto" else f"{name} (auto)" if name == preferred else name,
        epsilon=epsilon,
        rho=payable.loss.as_zcdp().rho,
        guarantee=guarantee,
        mean_error=distance(mean, clock),
        error_95=distance(most, clock),
        bias=distance(bias, clock),
        draws=draws,
        seconds=_seconds(payable),
    )


def _guaranteed(payable: Payable) -> tuple[Fraction | None, str]:
    """Return the epsilon of an answer, or None if it has none, and its guarantee in words.

    At a price in rho, the loss of an answer is that rho. Its mechanism may still have an epsilon.
    """
    loss = payable.loss
    if isinstance(loss, ZCDP) and isinstance(payable, Request):
        loss = payable.mechanism.loss
    if isinstance(loss, ZCDP):
        return None, "zCDP"
    return loss.as_pure().epsilon, "pure, bounded range" if isinstance(loss, BoundedRange) else "pure"


def _of_family(trial: Trial, name: str, price: Fraction, equal: str) -> tuple[Any, Compared]:
    """Return the true answer and the errors of a mechanism that can only be compared, as it releases no answers."""
    epsilon = price if equal == "epsilon" else pure_epsilon(Rho(price))
    request = _as_request(trial, epsilon)
    start = perf_counter()
    law = FAMILY[name](request)
    seconds = perf_counter() - start
    if equal == "rho" and not law.pure:
        raise ParameterError("rhos", f"must be left out for {name}, which has no price in zCDP") from None
    mean, most, bias = (distance(error, trial.clock) for error in read_law(law).errors(0.95))
    rho = PureDP(epsilon).as_zcdp().rho if law.pure else None
    exact = request.look(0)
    return _whole_or_float(read_law(exact).centre * exact.granularity), Compared(
        name, epsilon, rho, law.guarantee, mean, most, bias, None, seconds, released=False
    )


def _is_released(trial: Trial, name: str) -> bool:
    """Whether the mechanism ``name`` can release an answer to this question."""
    if name not in NAMES:
        return False
    try:
        return isinstance(trial.bind(epsilon=Fraction(1), mechanism=name).alone, Request)
    except NoisewiseError:
        return False


def _as_request(trial: Trial, epsilon: Fraction) -> Request:
    """Return the question as a `Request`, which the mechanisms that can only be compared read. Raise an error if its
    answer is not one number.
    """
    request = trial.bind(epsilon=epsilon, mechanism="piecewise_laplace").alone
    if not isinstance(request, Request):
        raise ParameterError("the question", "must have one number as its answer") from None
    return request


def _whole_or_float(answer: Fraction | int) -> int | float:
    return int(answer) if answer == int(answer) else float(answer)


def _seconds(payable: Payable) -> float:
    """Return the number of seconds that it takes to read the data and draw once."""
    best = float("inf")
    for _ in range(TIMED):
        start = perf_counter()
        payable.answer()
        best = min(best, perf_counter() - start)
        if best > 0.5:
            break
    return best


def _names(mechanisms: object, trial: Trial, equal: str, best: Payable) -> tuple[str, ...]:
    """Return the names of the mechanisms to compare. By default, these are all mechanisms except those that cannot
    answer this question by their kind: the shifted ones, and Gaussian noise at equal epsilon. "auto" is among them only
    if it answers by noisy sums, which is none of the others.
    """
    if mechanisms is None:
        out = {"auto"} if not isinstance(best, FromSums) else set()
        out |= set(PRICED_IN_RHO) if equal == "epsilon" else set()
        return tuple(
            name
            for name in NAMES
            if name not in out and (not name.startswith("shifted") or _is_released(trial, name))
        )
    if isinstance(mechanisms, (str, bytes)) or not isinstance(mechanisms, Iterable):
        raise ParameterTypeError(
            "mechanisms", 'must be a list of names such as ["balance", "laplace"]', got=describe(mechanisms)
        ) from None
    names = tuple(
        dict.fromkeys(SHORT.get(each, each) if isinstance(each, str) else each for each in mechanisms)
    )
    for name in names:
        if name not in NAMES and name not in FAMILY:
            raise ParameterError(
                "mechanisms",
                f"must be among {', '.join({**dict.fromkeys(NAMES), **FAMILY})}",
                got=describe(name),
            ) from None
    if not names:
        raise ParameterError("mechanisms", "must name at least one") from None
    return names


def _name_of(payable: Payable) -> str | None:
    """The name of the mechanism; None if the answer has none of its own."""
    if isinstance(payable, FromSums):
        return f"sums by {payable.answered_by}"
    return payable.mechanism.name if isinstance(payable, Request) else None
