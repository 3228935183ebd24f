"""What every mechanism offers: a loss to pay, the number of levels it needs, and a law to draw from."""

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol, runtime_checkable

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import BoundedRange, PureDP
from noisewise.kernel.mechanisms.balance import Balance
from noisewise.kernel.mechanisms.laplace import Laplace
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import spell


@runtime_checkable
class Mechanism(Protocol):
    """A way to add noise to the answer of an envelope. Only the envelope given to ``law`` is secret."""

    @property
    def name(self) -> str:
        """The name that a user types, such as ``"piecewise_laplace"``."""

    @property
    def version(self) -> str:
        """The name of the law, such as ``"piecewise-laplace/1"``. A law that changes gets a new name."""

    @property
    def epsilon(self) -> Fraction: ...

    @property
    def loss(self) -> BoundedRange | PureDP:
        """The loss of one release."""

    def levels(self, answers: Answers) -> int:
        """The number of levels that the law needs, from public facts alone."""

    def law(self, envelope: Envelope, answers: Answers) -> Law: ...


def check_given_mechanism(
    mechanism: Mechanism | Balance, epsilon: Fraction, sensitivity: Callable[[], int]
) -> None:
    """Refuse a mechanism that somebody made if it protects less than is paid for, or than the statistic needs."""
    if mechanism.epsilon != epsilon:
        raise ParameterError(
            "epsilon",
            f"must agree with the mechanism's own {spell(mechanism.epsilon)}",
            got=spell(epsilon),
        ) from None
    loss = mechanism.loss
    if type(loss) not in (BoundedRange, PureDP) or loss.epsilon < epsilon:
        raise ParameterError(
            "the mechanism's loss",
            f"must be BoundedRange or PureDP of its epsilon {spell(epsilon)} or more",
            got=repr(loss),
        ) from None
    if isinstance(mechanism, Laplace) and mechanism.sensitivity < (least := sensitivity()):
        raise ParameterError(
            "the mechanism's sensitivity",
            f"must be at least the statistic's {least} lattice steps per person",
            got=str(mechanism.sensitivity),
        ) from None
