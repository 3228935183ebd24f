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
