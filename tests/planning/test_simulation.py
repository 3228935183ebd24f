"""What simulations say of themselves."""

from fractions import Fraction

from noisewise.planning.simulation import NotPrivateSimulation, NotPrivateSimulations

ONE = NotPrivateSimulation("count", 12.0, None, 1.5, {"50%": 1.0, "95%": 3.0}, Fraction(1))


def test_several_are_a_table_that_says_it_is_not_private():
    both = NotPrivateSimulations(("a", "b"), (ONE, ONE))
    assert both["b"] is ONE and list(both) == [ONE, ONE] and len(both) == 2 and both.private is False
    assert str(both).splitlines()[:2] == [
        "not private:",
        "name  question  answer  epsilon  mean error  95% within",
    ]
    assert repr(both) == str(both)
