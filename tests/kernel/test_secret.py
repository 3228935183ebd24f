"""Secrets print as their type, however they are shown."""

from dataclasses import dataclass

from noisewise.kernel.secret import Secret


@dataclass(frozen=True, slots=True, repr=False)
class Salary(Secret):
    amount: int


class Bonus(Salary):
    pass


def test_only_the_type_is_shown():
    salary = Salary(4711)
    assert repr(salary) == str(salary) == f"{salary}" == "<Salary: withheld>"
    assert repr([salary]) == "[<Salary: withheld>]"


def test_a_subclass_shows_its_own_name():
    assert repr(Bonus(4711)) == "<Bonus: withheld>"
