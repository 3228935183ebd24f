"""The form as a value: what is checked, what is said beside which field, and what the address holds."""

from decimal import Decimal
from fractions import Fraction
from urllib.parse import parse_qsl

import numpy as np
import pytest

from noisewise.errors import ParameterError
from noisewise.explorer.state import (
    DEFAULTS,
    LONGEST_SAMPLE,
    Inputs,
    State,
    numbers_in,
    offered,
    own_parameters,
    parsed,
)


def inputs(**fields):
    return Inputs.of(
        State.of({key.replace("own_", "own-"): text for key, text in fields.items()}),
        lambda name: np.arange(9.0),
    )


def test_the_address_holds_what_is_not_as_at_first():
    state = State.of({"epsilon": "0.5", "own-q": "1/4", "token": "x", "n": DEFAULTS["n"]})
    assert state.query() == "epsilon=0.5&own-q=1%2F4"
    assert State.of(dict(parse_qsl(state.query()))) == state
    assert State.of({}).query(seed="2") == "seed=2"


def test_questions_with_one_law_are_offered():
    kinds = offered()
    assert {"median", "quantile", "mean", "count", "gini", "trimmed_mean", "spread"} <= set(kinds)
    assert {"quantiles", "median_interval", "private_bounds", "proportion", "histogram"}.isdisjoint(kinds)
    assert own_parameters(kinds["spread"]) == ("low", "high")


def test_numbers_stay_as_they_were_typed():
    checked, errors = inputs(
        low="0", high="100.0", granularity="1/4", contributions="2", neighbors="add_remove"
    )
    assert errors == {}
    assert checked.keywords == {
        "epsilon": 1,
        "bounds": (0, Decimal("100.0")),
        "granularity": Fraction(1, 4),
        "contributions": 2,
    }
    assert isinstance(checked.keywords["bounds"][0], int)


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"epsilon": "one"}, "epsilon", "must be a number"),
        ({"epsilon": ""}, "epsilon", "must be given"),
        ({"epsilon": "65"}, "epsilon", "epsilon must be"),
        ({"low": "5", "high": "1"}, "low", "lowest < highest"),
        ({"granularity": "1e9"}, "granularity", "granularity must"),
        ({"contributions": "0"}, "contributions", "at least 1"),
        ({"neighbors": "swap", "contributions": "2"}, "contributions", ""),
        ({"neighbors": "cousins"}, "neighbors", "neighbors must be"),
        ({"mechanism": "magic"}, "mechanism", "mechanism must be"),
        ({"mechanism": "permute_and_flip", "granularity": "1"}, "mechanism", "too many"),
        ({"question": "quantile", "own_q": "7"}, "own-q", "between 0 and 1"),
        ({"question": "no"}, "question", "no such question"),
        ({"n": "999999999"}, "n", "at most 200000"),
        ({"n": ""}, "n", "how many records"),
        ({"source": "sample", "sample": "1, two"}, "sample", "numbers only"),
        ({"source": "sample"}, "sample", "a number at least"),
        ({"source": "moon"}, "source", "must be a shape"),
        ({"second": "-1"}, "first", "deviation above 0"),
        ({"delta": "1"}, "delta", "below 1"),
        ({"confidence": "2"}, "confidence", "confidence must be"),
        ({"seed": "-1"}, "seed", "seed must be"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(fields, field, says):
    checked, errors = inputs(**fields)
    assert checked is None
    assert says in errors.get(field, f"nothing beside {field}: {errors}")


def test_a_column_is_read_as_it_is_and_a_sample_in_any_writing():
    checked, errors = inputs(source="file", column="0/a", n="", high="8", granularity="1")
    assert (errors, checked.records.tolist()) == ({}, list(range(9)))
    assert numbers_in("1, 2;3\n4\t-5e-1") == [1, 2, 3, 4, -0.5]
    with pytest.raises(ParameterError, match="at most 20,000 letters"):
        numbers_in("1 " * LONGEST_SAMPLE)


@pytest.mark.parametrize("text", ["", "1e9999", "nan", "1/0", "0x1", "--1", "1" * 201])
def test_what_is_no_number(text):
    assert parsed(text) is None
