"""A state of the page, checked: small, so that tests of what follows from it are fast."""

import numpy as np

from noisewise.explorer.state import Inputs, State

SMALL = {"n": "40", "first": "3.5", "low": "0", "high": "100", "granularity": "1"}


def checked(**fields):
    """What these fields say besides those of a small world."""
    given = {**SMALL, **{key.replace("own_", "own-"): text for key, text in fields.items()}}
    inputs, errors = Inputs.of(State.of(given), lambda name: np.arange(100.0))
    assert errors == {}
    return inputs
