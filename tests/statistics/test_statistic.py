"""The protocol that a statistic of one's own must keep."""

from noisewise import Quantile
from noisewise.statistics import Statistic


def test_quantiles_keep_it_and_others_are_told_apart() -> None:
    assert isinstance(Quantile("1/2"), Statistic)
    assert not isinstance("median", Statistic)
