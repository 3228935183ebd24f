"""A test with `each_value` runs for every value, and its failure names the value."""

import inspect

import pytest

from tests.each_value import each_value


def test_all_combinations_are_run_and_the_one_that_fails_is_named(tmp_path):
    seen = []

    @each_value(a=[1, 2])
    @each_value(b="xy")
    def test(a, b, tmp_path):
        """What it says."""
        seen.append((a, b, tmp_path))
        assert (a, b) != (2, "x")

    assert list(inspect.signature(test).parameters) == ["tmp_path"] and test.__doc__ == "What it says."
    with pytest.raises(AssertionError) as caught:
        test(tmp_path=tmp_path)
    assert seen == [(1, "x", tmp_path), (1, "y", tmp_path), (2, "x", tmp_path)]
    assert caught.value.__notes__ == ["where b is 'x'", "where a is 2"]


@pytest.mark.parametrize("number", [1, 2])
@each_value(letter="ab")
def test_it_goes_with_parameters_and_fixtures(number, letter, tmp_path):
    (tmp_path / f"{letter}{number}").mkdir()  # each is run once
