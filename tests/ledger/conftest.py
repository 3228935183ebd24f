"""A ledger on disk, for the tests of what it allows and remembers."""

import pytest

from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger


@pytest.fixture
def path(tmp_path):
    return tmp_path / "staff.ledger"


@pytest.fixture
def ledger(path):
    return Ledger.open(path, PureDP(1))
