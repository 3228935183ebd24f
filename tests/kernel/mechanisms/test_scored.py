"""What the scored mechanisms share: parameters, levels, rates."""

from fractions import Fraction

import pytest

from noisewise import InverseSensitivity, ParameterError, ParameterTypeError, PiecewiseLaplace
from noisewise.kernel.laws.envelope import Envelope, level_rule
from noisewise.kernel.numbers.lattice import Lattice

LATTICE = Lattice(0, 1000, Fraction(1))


@pytest.mark.parametrize("kind", [PiecewiseLaplace, InverseSensitivity])
class TestScored:
    def test_parameters_are_exact(self, kind: type) -> None:
        made = kind(epsilon=0.1, smooth=0.3)
        assert (made.epsilon, made.smooth) == (Fraction(1, 10), Fraction(3, 10))

    @pytest.mark.parametrize(
        ("field", "value", "error"),
        [
            ("epsilon", 0, ParameterError),
            ("epsilon", 65, ParameterError),
            ("epsilon", "one", ParameterTypeError),
            ("smooth", -1, ParameterError),
            ("smooth", None, ParameterTypeError),
            ("smooth", float("nan"), ParameterError),
        ],
    )
    def test_wrong_parameters_are_named(
        self, kind: type, field: str, value: object, error: type[Exception]
    ) -> None:
        with pytest.raises(error, match=f"{field} must"):
            kind(**{"epsilon": 1, field: value})

    def test_the_rate_is_half_epsilon_and_the_levels_follow_it(self, kind: type) -> None:
        made = kind(epsilon=3)
        assert made.levels(LATTICE) == level_rule(1001, Fraction(3, 2))
        assert made.law(Envelope.of([3], [3], (0, 1000)), LATTICE).rate == Fraction(3, 2)

    def test_a_huge_width_is_the_whole_support(self, kind: type) -> None:
        law = kind(epsilon=1, smooth=10**30).law(Envelope.of([3], [3], (0, 1000)), LATTICE)
        assert law.envelope.level(0) == (0, 1000)

    def test_a_width_below_one_step_is_refused(self, kind: type) -> None:
        kind(epsilon=1).check_answers(LATTICE)
        kind(epsilon=1, smooth=1).check_answers(LATTICE)
        with pytest.raises(
            ParameterError, match=r"^smooth must be 0 or at least 1, a step of the answers, got 0.9$"
        ):
            kind(epsilon=1, smooth=0.9).check_answers(LATTICE)

    def test_rho_says_its_new_name(self, kind: type) -> None:
        with pytest.raises(ParameterTypeError, match=r"'rho', now smooth=: rho is a price in zCDP"):
            kind(epsilon=1, rho=1)
