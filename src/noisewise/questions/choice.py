"""Choose the mechanism of a release from what the user gave: a name, an object, or "auto". Only public facts decide."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias, get_args

from noisewise.errors import Parameter, ParameterError, ParameterTypeError, Words
from noisewise.kernel.losses import ZCDP, BoundedRange, PureDP
from noisewise.kernel.mechanisms.balance import Balance, ByScore, ShiftedInverse
from noisewise.kernel.mechanisms.gaussian import Gaussian
from noisewise.kernel.mechanisms.gaussian_balance import GaussianBalance, Shape
from noisewise.kernel.mechanisms.laplace import Laplace
from noisewise.kernel.mechanisms.mechanism import Mechanism, check_given_mechanism
from noisewise.kernel.mechanisms.permute_and_flip import PermuteAndFlip, WholePermuteAndFlip
from noisewise.kernel.mechanisms.scored import (
    InverseSensitivity,
    PiecewiseLaplace,
    Scored,
    ShiftedPiecewiseLaplace,
)
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import describe, exact, spell
from noisewise.kernel.prices import Price, Rho, pure_epsilon, range_epsilon


@dataclass(frozen=True, slots=True)
class Auto:
    """``"auto"`` for a known budget: ``pure`` if the budget counts epsilon alone, not rho and not epsilon and delta."""

    pure: bool


AnyMechanism: TypeAlias = Mechanism | Balance | Gaussian | GaussianBalance
"""The types of mechanisms that draw an answer."""

Noise: TypeAlias = Laplace | Gaussian
"""Noise of a public width, which is the same for all data."""


Name: TypeAlias = Literal[
    "auto",
    "balance",
    "gaussian",
    "gaussian_balance",
    "inverse_sensitivity",
    "laplace",
    "permute_and_flip",
    "piecewise_laplace",
    "shifted_inverse",
    "shifted_piecewise_laplace",
]
NAMES: tuple[str, ...] = get_args(Name)
"""The names of all mechanisms that can release an answer."""

PRICED_IN_RHO = (Gaussian.name, GaussianBalance.name)
"""The names of mechanisms that have no price in epsilon."""

Short: TypeAlias = Literal["inverse", "plm"]
SHORT = {"inverse": "inverse_sensitivity", "plm": "piecewise_laplace"}
"""The paper's names for two mechanisms, and their names here."""

Chosen: TypeAlias = Name | Short | Auto | Balance | Mechanism
"""The types that the parameter ``mechanism`` takes."""

ONLY_COMPARED = "so only `compare` shows it"
FLOATS = f"its probabilities are computed in floating point, {ONLY_COMPARED}"
NO_SAMPLER = f"no exact sampler is proved for its noise here, {ONLY_COMPARED}"
FOR_COMPARISON = {
    "above_threshold": FLOATS,
    "asymmetric": FLOATS,
    "propose_test_release": f"it may give no answer, and {FLOATS}",
    "smooth_sensitivity": NO_SAMPLER,
    "smooth_sensitivity_laplace": f"it is only approximately private, and {NO_SAMPLER}",
}
"""Mechanisms of the family that cannot release an answer here, each with the reason."""

LITTLE = 1.01
"""Noise that is smaller by a factor below this is not worth a word."""

OVER_PIECEWISE, OVER_BALANCE = Fraction(1, 2), 2
"""Below these rhos "auto" takes Gaussian balance: of one record, where piecewise Laplace can answer as well, and of one
person, where only balance can."""

FEW_ANSWERS = 2**12
"""The most answers for which "auto" takes permute-and-flip. It throws a coin for each, which takes little time here."""


def choose(
    mechanism: object,
    *,
    price: Price,
    steady: bool,
    sensitivity: Callable[[], int],
    squared: Callable[[], int] | None = None,
    answers: Answers | None = None,
    smooth: object = 0,
    scored: bool = False,
    ranked: bool = True,
    move: "ScoreMove | None" = None,
    enveloped: bool = True,
    shifts: bool = False,
) -> AnyMechanism:
    """Return the mechanism a user asked for. docs/concepts/mechanisms.md has the rule and its measurements.

    ``steady`` says that one person moves the answer about as far in all data; ``sensitivity`` computes how far, in
    steps. ``squared`` computes the square of the Euclidean distance, if the answer has several numbers. If ``answers``
    is None, the caller checks whether the mechanism can handle so many answers. ``scored`` says that the statistic has
    a score, which balance needs. ``ranked`` says that the error of balance is known in people, as for quantiles.
    ``move`` says how a person moves the score, which Gaussian balance needs; None if that is not proved. ``enveloped``
    says that the statistic has an envelope, which all other mechanisms need. ``shifts`` says that the caller will check
    whether removals can shift the score.
    """
    in_rho, width = isinstance(price, Rho), exact("smooth", smooth)
    if not width and is_auto(mechanism):
        pure = not in_rho and (not isinstance(mechanism, Auto) or mechanism.pure)
        by_score = scored and (answers is None or ByScore.fits(answers))
        by_balance = by_score and (pure or not enveloped)
        few = pure and enveloped and not steady and answers is not None and _are_few(answers)
        mechanism = (
            "gaussian_balance"
            if by_score and isinstance(price, Rho) and move is not None and move.suits(price, enveloped)
            else "permute_and_flip"
            if few and (ranked or not by_balance) and _flips(price, answers) is WholePermuteAndFlip
            else "balance"
            if by_balance
            else ("gaussian" if in_rho else "laplace")
            if steady
            else "permute_and_flip"
            if few
            else "piecewise_laplace"
        )
    if width:
        chosen: AnyMechanism = _smooth(mechanism, price, width)
    elif isinstance(mechanism, str):
        chosen = _named(mechanism, price, sensitivity, squared, answers, move)
    elif isinstance(price, Rho):
        raise ParameterTypeError(
            "mechanism", "must be a name where rho is given", got=describe(mechanism)
        ) from None
    else:
        chosen = _given(mechanism, price, sensitivity)
    if isinstance(chosen, (PermuteAndFlip, ByScore, Scored)) and answers is not None:
        chosen.check_answers(answers)
    if isinstance(chosen, ShiftedInverse) and not (scored and shifts):
        raise no_shift() from None
    if isinstance(chosen, Balance) and not scored:
        raise ParameterError(
            "mechanism",
            ("must be another one where there is no score, such as ", Words("auto")),
            got=Words("balance"),
        ) from None
    if not isinstance(chosen, ByScore) and not enveloped:
        raise ParameterError(
            "mechanism",
            ("must be ", Words("auto", "balance"), " where there is no envelope"),
            got=Words(chosen.name),
        ) from None
    return chosen


def typed_again(mechanism: AnyMechanism, price: Price) -> object:
    """What means the same mechanism at another price, whatever the answers are then."""
    if isinstance(mechanism, PermuteAndFlip) and not isinstance(price, Rho):
        return type(mechanism)(epsilon=price)
    return mechanism.name


class ScoreMove(NamedTuple):
    """How a person moves a score: in so many steps of one shape."""

    shape: Shape
    steps: int

    def suits(self, price: Rho, enveloped: bool) -> bool:
        """Whether auto takes Gaussian balance at this price."""
        most = OVER_PIECEWISE * self.steps**2 if enveloped else OVER_BALANCE
        return price.rho < most * price.squares


def is_auto(mechanism: object) -> bool:
    """Whether the user leaves the choice of a mechanism to the library."""
    return isinstance(mechanism, Auto) or (isinstance(mechanism, str) and mechanism == "auto")


def check_named(mechanism: object, where: str, *more: str) -> None:
    """Raise if the mechanism is an object with its own epsilon. Only a part of epsilon is left for it here."""
    if not isinstance(mechanism, (str, Auto)):
        raise ParameterTypeError(
            "mechanism", (f"must be a name where {where}", *more), got=describe(mechanism)
        ) from None


def no_shift(asked: str = "a maximum or a minimum", name: str = "shifted_inverse") -> ParameterError:
    """Return the error for a mechanism that is shifted by removals, if the question is not about ``asked``."""
    return ParameterError(
        "mechanism",
        (f"must be another one unless {asked} is asked for, such as ", Words("auto")),
        got=Words(name),
    )


def width_of(mechanism: object) -> Fraction:
    """By how much a mechanism widens envelopes; 0 if it is not smooth."""
    return mechanism.smooth if isinstance(mechanism, Scored) else Fraction(0)


def loss_at(price: Price, mechanism: AnyMechanism) -> BoundedRange | PureDP | ZCDP:
    """The loss of an answer at this price: what the price says in zCDP, or else the loss of the mechanism."""
    return price.loss if isinstance(price, Rho) else mechanism.loss


def noise_at(price: Price, sensitivity: int, squared: int | None = None) -> Noise:
    """Noise for whole numbers that one person moves by at most ``sensitivity`` together.

    ``squared`` bounds the sum of the squares of what a person moves. By default all of it may be in one number.
    """
    if isinstance(price, Rho):
        most = sensitivity**2 if squared is None else squared
        return Gaussian(rho=price.rho, squared_sensitivity=most * price.squares)
    return Laplace(epsilon=price, sensitivity=sensitivity)


def reach_of(price: Price, records: int) -> Fraction:
    """About how many records the noise of a count hides at this price. A person moves the count by ``records``."""
    if isinstance(price, Rho):
        return Fraction(math.sqrt(records**2 * price.squares / (2 * price.rho)))
    return records / price


def times_smaller(now: Price, then: Price, mechanism: str) -> float:
    """How many times smaller the noise of this mechanism is at the price ``then`` than at ``now``. Public.

    Of the prices of one record under different limits, only those in rho differ.
    """
    if not isinstance(now, Rho) or not isinstance(then, Rho):
        return 1.0
    if mechanism in PRICED_IN_RHO:
        return math.sqrt(now.squares / then.squares)
    ranged = (PiecewiseLaplace.name, InverseSensitivity.name, ShiftedPiecewiseLaplace.name)
    epsilon = range_epsilon if mechanism in ranged else pure_epsilon
    return float(epsilon(then) / epsilon(now))


def note_on_saving(times: float) -> str:
    """What it would save if no person counted more than once in a group, in words; empty if hardly anything."""
    if times < LITTLE:
        return ""
    return f"with per_group=1 the noise would be about {times:.2g} times smaller at the same price"


def for_one_record(mechanism: Mechanism | Balance, records: int) -> Mechanism | Balance:
    """Return the same mechanism at epsilon / ``records``, the price of each of a person's ``records``."""
    epsilon = mechanism.epsilon / records
    match mechanism:
        case ShiftedInverse():
            return ShiftedInverse(epsilon=epsilon)
        case Balance():
            return Balance(epsilon=epsilon)
        case PiecewiseLaplace():
            return PiecewiseLaplace(epsilon=epsilon, smooth=mechanism.smooth)
        case InverseSensitivity():
            return InverseSensitivity(epsilon=epsilon, smooth=mechanism.smooth)
        case WholePermuteAndFlip():
            return WholePermuteAndFlip(epsilon=epsilon)
        case PermuteAndFlip():
            return PermuteAndFlip(epsilon=epsilon)
        case ShiftedPiecewiseLaplace():
            return ShiftedPiecewiseLaplace(epsilon=epsilon)
        case Laplace():
            return Laplace(epsilon=epsilon, sensitivity=-(-mechanism.sensitivity // records))
    raise ParameterTypeError(
        "mechanism",
        f"must be a name, or a mechanism of noisewise, in groups where a person may have {records:,} records",
        got=describe(mechanism),
        why="each record is paid for with its part of epsilon, and only those are known at another epsilon",
    ) from None


def _given(mechanism: object, epsilon: Fraction, sensitivity: Callable[[], int]) -> Mechanism | Balance:
    if isinstance(mechanism, type) or not isinstance(mechanism, (Balance, Mechanism)):
        raise ParameterTypeError(
            "mechanism",
            f"must be one of {', '.join(NAMES)}, or an object such as PiecewiseLaplace(epsilon=1)",
            got=describe(mechanism),
        ) from None
    check_given_mechanism(mechanism, epsilon, sensitivity)
    _check_loss(mechanism)
    return mechanism


def _check_loss(mechanism: Mechanism | Balance) -> None:
    """Raise if a subclass of a mechanism of the library states a smaller loss than its class has, or a cheaper kind."""
    epsilon = mechanism.epsilon
    match mechanism:
        case Scored() | ShiftedPiecewiseLaplace():
            own: BoundedRange | PureDP = BoundedRange(epsilon)
        case Laplace():
            own = Laplace.loss_of(mechanism, 1)
        case Balance() | PermuteAndFlip():
            own = PureDP(epsilon)
        case _:
            return  # the author of any other mechanism answers for its loss
    loss = mechanism.loss
    if type(loss) not in (type(own), PureDP) or loss.as_zcdp().rho < own.as_zcdp().rho:
        raise ParameterError(
            "the mechanism's loss",
            f"must be that of its class, {own!r}, or more",
            got=repr(loss),
        ) from None


def _smooth(mechanism: object, price: Price, width: Fraction) -> Scored:
    """Return the mechanism of this name with envelopes that are wider by ``width``. Raises if it cannot widen them."""
    name = SHORT.get(mechanism, mechanism) if isinstance(mechanism, str) else None
    for kind in (PiecewiseLaplace, InverseSensitivity):
        if kind.name == name:
            return kind(epsilon=range_epsilon(price), smooth=width)
    names = Words(PiecewiseLaplace.name, InverseSensitivity.name)
    raise ParameterError(
        "smooth", ("must be left out unless mechanism is the name ", names), got=spell(width)
    ) from None


def _named(
    name: str,
    price: Price,
    sensitivity: Callable[[], int],
    squared: Callable[[], int] | None,
    answers: Answers | None,
    move: ScoreMove | None,
) -> AnyMechanism:
    match name := SHORT.get(name, name):
        case "piecewise_laplace":
            return PiecewiseLaplace(epsilon=range_epsilon(price))
        case "inverse_sensitivity":
            return InverseSensitivity(epsilon=range_epsilon(price))
        case "shifted_piecewise_laplace":
            return ShiftedPiecewiseLaplace(epsilon=range_epsilon(price))
        case "balance":
            return Balance(epsilon=pure_epsilon(price))
        case "shifted_inverse":
            return ShiftedInverse(epsilon=pure_epsilon(price))
        case "permute_and_flip":
            return _flips(price, answers)(epsilon=pure_epsilon(price))
        case "laplace":
            moved = sensitivity()
            epsilon = price.laplace_epsilon(moved) if isinstance(price, Rho) else price
            return Laplace(epsilon=epsilon, sensitivity=moved)
        case "gaussian" if isinstance(price, Rho):
            return noise_at(price, 1, sensitivity() ** 2 if squared is None else squared())
        case "gaussian_balance" if isinstance(price, Rho):
            return gaussian_balance(price, move)
        case "gaussian" | "gaussian_balance":
            raise ParameterError(
                "mechanism",
                (
                    "must be another one where epsilon is given, such as ",
                    Words("laplace" if name == "gaussian" else "balance"),
                ),
                got=Words(name),
                why="Gaussian noise is priced in rho alone",
                fix=("give ", Parameter("rho"), " in place of ", Parameter("epsilon")),
            ) from None
    raise ParameterError(
        "mechanism",
        f"must be one of {', '.join(NAMES)}",
        got=describe(name),
        **({"why": FOR_COMPARISON[name]} if name in FOR_COMPARISON else {}),
    ) from None


def _flips(price: Price, answers: Answers | None) -> type[PermuteAndFlip]:
    """The mechanism that the name permute_and_flip means. At a price in epsilon, whole costs where they gain enough."""
    if isinstance(price, Rho) or answers is None or None in answers.support:
        return PermuteAndFlip
    return WholePermuteAndFlip if WholePermuteAndFlip(epsilon=price).gains(answers) else PermuteAndFlip


def gaussian_balance(price: Price, move: ScoreMove | None) -> GaussianBalance:
    """Gaussian balance at this price. Raises if it is not proved for a score that moves like this."""
    if move is None or not isinstance(price, Rho):
        raise ParameterError(
            "mechanism",
            ("must be another one for this question, such as ", Words("auto")),
            got=Words(GaussianBalance.name),
            why="its price is proved for quantiles, means, shares, ratios and Huber's mean alone",
        ) from None
    return GaussianBalance(rho=price.rho, shape=move.shape, steps=move.steps, squares=price.squares)


def _are_few(answers: Answers) -> bool:
    """Whether answers are so few that auto prefers permute-and-flip to piecewise Laplace, at the same epsilon."""
    return None not in answers.support and answers.points <= FEW_ANSWERS
