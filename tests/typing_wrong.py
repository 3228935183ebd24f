"""What a user gets wrong: each line must be an error. Read by tests/test_typing.py, never run."""

import noisewise as nws

nws.median([1], bounds=(0, 10), epsilon="1")
nws.median([1], bounds="0,10", epsilon=1)
nws.median([1], bounds=(0, 10, 20), epsilon=1)
nws.median([1], bounds=(0, 10), epsilon=1, neighbors="substitute")
nws.median([1], bounds=(0, 10), epsilon=1, mechanism="gauss")
nws.median([1], bounds=(0, 10), epsilon=1, granularity="0.1")
nws.quantile([1], [0.1], bounds=(0, 10), epsilon=1)
nws.median([1], (0, 10), 1)
nws.median([1], epsilon=1)
nws.Quantile(None)
nws.count([1], bounds=(0, 1), epsilon=1)
nws.mean([1], bounds=(0, 1), epsilon=1, eps=2)
nws.mae([1], [1], bounds="private", epsilon=1)
nws.trimmed_mean([1], bounds=(0, 1), epsilon=1)
nws.accuracy([1], epsilon=1)
nws.plan(nws.Mean(), bound=(0, 1), epsilon=1)
nws.quantiles([1], 0.5, bounds=(0, 1), epsilon=1)
nws.Dataset([]).agg(epsilon="1", n=nws.ask.count())
nws.ask.median(3, bounds=(0, 5))
