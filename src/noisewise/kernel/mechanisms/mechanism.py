"""What every mechanism offers: a loss to pay, a number of levels to ask for, and a law to draw from."""

from fractions import Fraction
from typing import Protocol, runtime_checkable

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import BoundedRange, PureDP
from noisewise.kernel.numbers.answers import Answers


@runtime_checkable
class Mechanism(Protocol):
    """A way to blur an envelope. All of it is public; only the envelope handed to ``law`` is secret."""

    @property
    def name(self) -> str:
        """As the user says it, like ``"piecewise_laplace"``."""

    @property
    def version(self) -> str:
        """The law's name for ever, like ``"piecewise-laplace/1"``: a changed law is a new version."""

    @property
    def epsilon(self) -> Fraction: ...

    @property
    def loss(self) -> BoundedRange | PureDP:
        """What one release costs."""

    def levels(self, answers: Answers) -> int:
        """How many levels the law needs, from public things only."""

    def law(self, envelope: Envelope, answers: Answers) -> Law: ...
