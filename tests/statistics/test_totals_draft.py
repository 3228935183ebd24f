from fractions import Fraction
from noisewise import Count, Sum, Mean, Proportion
from tests.laws.statistic_laws import StatisticLaws


class TestCount(StatisticLaws):
    statistic = Count()
    bounds = None
    answer = staticmethod(len)
    granularities = (1, 2, 3)


class TestSum(StatisticLaws):
    statistic = Sum()
    answer = staticmethod(sum)


class TestSumSigned(StatisticLaws):
    statistic = Sum()
    bounds = (-3, 5)
    domain = (-3, -1, 0, 2, 5)
    records = (-99.0, -7.0, -0.6, 1.5, 4.0)
    answer = staticmethod(sum)


class TestMean(StatisticLaws):
    statistic = Mean()
    answer = staticmethod(lambda x: Fraction(sum(x), len(x)) if x else 0)


class TestProportion(StatisticLaws):
    statistic = Proportion()
    bounds = None
    domain = (0, 1)
    records = (-99.0, 0, 1)
    most = 6
    levels = 7
    granularities = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 3))
    answer = staticmethod(lambda x: Fraction(sum(x), len(x)) if x else 0)
