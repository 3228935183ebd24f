"""The examples in the docstrings of the paper's names: they run, each is short, and every name has one."""

import doctest
import inspect

import pytest

import noisewise as nws


@pytest.mark.parametrize("name", nws.paper.__all__)
def test_examples_say_what_they_give(name):
    text = inspect.getdoc(getattr(nws.paper, name)) or ""
    example = doctest.DocTestParser().get_doctest(text, {"nws": nws}, name, None, None)
    assert 0 < len(example.examples) <= 3
    assert doctest.DocTestRunner().run(example).failed == 0
