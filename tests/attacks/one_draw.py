"""Every law draws one and the same outcome, which its public support decides, whatever the data.

What is released is made of draws and of public facts alone. So with such draws all that a user sees must be the same
for all data of a type, to the last digit and the last word: a note, a type or a number that a record decides in any
other way than through a draw shows itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import pytest

from noisewise.kernel.laws import balance_law, ball_law, law
from noisewise.kernel.laws import permute_and_flip_law as permute_and_flip
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.sampling import SystemBits
from noisewise.questions.composites import most_common
from noisewise.questions.composites.most_common import Lead
from noisewise.tables.engines import postgres

SHARES = (Fraction(0), Fraction(1, 3), Fraction(1))
"""Where in its support an outcome lies: at the lowest end, within, at the highest end."""
OPEN = 5
"""How far from an end, or from 0, an outcome lies where the support is open."""


@contextmanager
def one_draw(share: Fraction) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (law, balance_law, ball_law, permute_and_flip, most_common):
            patch.setattr(module, "audit_choice", lambda law, _bits: outcome(law, share))
        patch.setattr(SystemBits, "words", lambda _self, words: np.full(words, 2**63 + 2**31, np.uint64))
        names = count()
        patch.setattr(postgres, "fresh_salt", lambda: f"{next(names):016x}")  # tables must differ in a query
        yield


def outcome(law: Any, share: Fraction) -> Any:
    """What is drawn from each group of a law, as indices."""
    if isinstance(law, Lead):
        return np.array([between(0, law.behind.size - 1, share)])
    if isinstance(law, BallLaw):
        ends = zip(*(np.broadcast_to(end, law.dimension) for end in law.box or (None, None)), strict=True)
        return np.array([between(low, high, share) for low, high in ends], np.int64)
    low, high = law.score.support if isinstance(law, BalanceLaw) else law.ends
    return np.full(len(law), between(low, high, share), np.int64)


def between(low: int | None, high: int | None, share: Fraction) -> int:
    if low is None or high is None:
        return int(low) + OPEN if low is not None else (0 if high is None else int(high)) - OPEN
    return int(low) + int((int(high) - int(low)) * share)
