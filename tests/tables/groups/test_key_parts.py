"""One part of a key: a spelling for what is equal, and what a column's type makes of it."""

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import pytest

from noisewise import ParameterError, ParameterTypeError
from noisewise.tables.groups.key_parts import SINGLE, fitted, plain_part

NOON = datetime(2024, 5, 1, 12)


@pytest.mark.parametrize(
    ("part", "plain"),
    [
        (np.int8(3), 3),
        (np.float32(0.5), 0.5),
        (-0.0, 0.0),
        (np.bool_(True), True),
        (pd.Timestamp(NOON), NOON),
        (NOON.replace(tzinfo=timezone(timedelta(hours=2))), NOON.replace(hour=10, tzinfo=UTC)),
        (date(2024, 5, 1), date(2024, 5, 1)),
    ],
)
def test_a_part_has_one_spelling(part, plain):
    found = plain_part(part)
    assert (found, type(found), str(found)) == (plain, type(plain), str(plain))


@pytest.mark.parametrize("part", [None, float("nan"), pd.NA, pd.NaT, float("inf"), pd.Timestamp(1)])
def test_what_is_missing_or_too_fine_is_no_part(part):
    with pytest.raises(ParameterError, match="keys must"):
        plain_part(part)


def test_other_objects_are_no_parts():
    with pytest.raises(ParameterTypeError, match="keys must be text, numbers"):
        plain_part([1])


@pytest.mark.parametrize(
    ("part", "kind", "held"),
    [
        (1.0, "whole", 1),
        (1.5, "whole", None),
        (2**64, "whole", None),
        (1, "number", 1.0),
        (0.1, "single", float(np.float32(0.1))),
        (np.nextafter(SINGLE, 0), "single", float(np.finfo(np.float32).max)),
        (SINGLE * 1.001, "single", None),
        (1, "boolean", True),
        (2, "boolean", None),
        ("1", "number", None),
        (NOON, "date", None),
        (NOON.date(), "time", datetime(2024, 5, 1)),
        (NOON, "zoned", None),
    ],
)
def test_a_part_is_what_a_column_holds_of_it(part, kind, held):
    assert fitted(part, kind) == held
