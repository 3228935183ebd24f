"""What is fetched later is fetched after the debit, once the question is judged, and says nothing of itself."""

import pandas as pd

import noisewise as nws
from noisewise.columns.later import Later


def test_edges_are_fetched_after_the_debit():
    events = []

    class Purse:
        def debit(self, loss, **said):
            events.append("debit")

    def fetch():
        events.append("fetch")
        return pd.DataFrame({"a": [0, 1, 0], "b": [1, 2, 2]})

    found = nws.triangles(Later(fetch), nodes=3, epsilon=60, ledger=Purse())
    assert (found.value, events) == (1, ["debit", "fetch"])


def test_it_shows_nothing():
    assert repr(Later(lambda: "secret")) == "<Later: withheld>"
