"""Public parameters that would take memory or time without end: refused before the debit, and before they take it.

Every refusal names its limit. Each call must be over in a moment and within little memory; the stand-in, which reserves
what it is told to, is not. A huge number of nodes is no reason to refuse: what is held grows with the edges.
"""

import time
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from tests.attacks.outcomes import Purse
from tests.attacks.vulnerable import reserves_what_it_is_told

MOST_BYTES = 40 * 2**20
MOST_SECONDS = 2.0
HUGE, BEYOND = range(10**9), range(10**30)
B: dict[str, Any] = {"bounds": (0, 10), "epsilon": 1}
DATA = [1.0, 2.0, 7.5]
EDGES = [(0, 1), (1, 2)]


def table(purse: Purse) -> nws.Dataset:
    return nws.Dataset(pl.DataFrame({"x": DATA, "s": ["a", "b", "a"]}), ledger=purse)


def finding(ask: Callable[[Purse], Any]) -> str | None:
    """What a call takes that it should not, or how it ends; None where it is refused at once and unpaid."""
    purse, start = Purse(), time.process_time()
    tracemalloc.start()
    try:
        ask(purse)
        ended = "it was answered"
    except nws.NoisewiseError as error:
        ended = "" if "must" in str(error) or "no TOML" in str(error) else "the limit is not named"
    except Exception as error:
        ended = f"it ended by {type(error).__name__}"
    took = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    if purse.paid:
        return "it was paid for"
    if took > MOST_BYTES or time.process_time() - start > MOST_SECONDS:
        return "it took too much before it was refused"
    return ended or None


REFUSED: dict[str, Callable[[Purse], Any]] = {
    "granularity": lambda p: nws.mean(DATA, **B, granularity=1e-300, ledger=p),
    "edges of bins": lambda p: nws.histogram(DATA, HUGE, epsilon=1, ledger=p),
    "edges beyond counting": lambda p: nws.histogram(DATA, BEYOND, epsilon=1, ledger=p),
    "an array of edges": lambda p: nws.histogram(
        DATA, np.broadcast_to(np.float64(1), 3 * 10**6), epsilon=1, ledger=p
    ),
    "categories of a histogram": lambda p: nws.histogram(DATA, categories=BEYOND, epsilon=1, ledger=p),
    "categories": lambda p: nws.most_common(DATA, HUGE, epsilon=1, ledger=p),
    "categories beyond counting": lambda p: nws.most_common(DATA, BEYOND, epsilon=1, ledger=p),
    "an array of categories": lambda p: nws.most_common(
        DATA, np.broadcast_to(np.float64(1), 3 * 10**6), epsilon=1, ledger=p
    ),
    "distinct categories": lambda p: nws.count_distinct(DATA, categories=BEYOND, epsilon=1, ledger=p),
    "cells": lambda p: table(p).crosstab(["s", "x"], categories={"s": ["a"], "x": BEYOND}, epsilon=1),
    "quantiles": lambda p: nws.quantiles(DATA, count(), **B, ledger=p),  # type: ignore[arg-type]
    "keys": lambda p: table(p).group_by("x", keys=HUGE).count(epsilon=1),
    "keys beyond counting": lambda p: table(p).group_by("x", keys=BEYOND).count(epsilon=1),
    "products of keys": lambda p: (
        table(p).group_by("x", "s", keys={"x": BEYOND, "s": ["a"]}).count(epsilon=1)
    ),
    "names of nodes": lambda p: nws.triangles(EDGES, nodes=HUGE, epsilon=1, ledger=p),
    "names beyond counting": lambda p: nws.triangles(EDGES, nodes=BEYOND, epsilon=1, ledger=p),
    "nodes": lambda p: nws.triangles(EDGES, nodes=10**12, epsilon=1, ledger=p),
    "levels": lambda p: nws.triangles(EDGES, nodes=10**8, epsilon=1e-9, ledger=p),
    "degrees": lambda p: nws.degree_quantile(EDGES, 0.5, max_degree=10**8, nodes=10**9, epsilon=1, ledger=p),
    "answers of permute and flip": lambda p: nws.median(
        DATA, bounds=(0, 1e9), epsilon=1, mechanism="permute_and_flip", ledger=p
    ),
    "dimensions": lambda p: nws.covariance(np.zeros((2, 2000)), bounds=(0, 1), epsilon=1, ledger=p),
    "digits of epsilon": lambda p: nws.median(
        DATA, bounds=(0, 1), epsilon=Fraction(10**4000 + 1, 10**4001), ledger=p
    ),
    "nested conditions": lambda p: table(p).where("(" * 10**5 + "x > 1" + ")" * 10**5).count(epsilon=1),
    "nested negations": lambda p: table(p).where("not " * 2400 + "x > 1").count(epsilon=-1),
    "a study of dots": lambda p: nws.Study.parse("a" + ".a" * 20_000 + " = 1"),
    "a study of quoted dots": lambda p: nws.Study.parse("[x]\ny = {'a b'" + ".'a b'" * 20_000 + " = 1}"),
    "a study of brackets": lambda p: nws.Study.parse("[study]\ntitle = " + "[" * 10**5),
}


NODES = 2**27
ANSWERED: dict[str, Callable[[Purse], Any]] = {
    "triangles": lambda p: nws.triangles(EDGES, nodes=NODES, epsilon=1, ledger=p),
    "degrees": lambda p: nws.degree_quantile(EDGES, 0.5, max_degree=5, nodes=NODES, epsilon=1, ledger=p),
}


def test_memory_that_a_parameter_reserves_is_noticed() -> None:
    assert finding(lambda purse: reserves_what_it_is_told(10**7, purse)) == "it was paid for"
    assert "too much" in (finding(lambda _purse: [0] * 10**7) or "")


@pytest.mark.parametrize("name", REFUSED, ids=[name.replace(" ", "-") for name in REFUSED])
def test_what_would_take_too_much_is_refused_before_the_debit(name: str) -> None:
    assert finding(REFUSED[name]) is None


@pytest.mark.parametrize("name", ANSWERED)
def test_nodes_without_an_edge_take_no_memory(name: str) -> None:
    purse, start = Purse(), time.process_time()
    tracemalloc.start()
    ANSWERED[name](purse)
    took = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert purse.paid == 1 and took < MOST_BYTES and time.process_time() - start < MOST_SECONDS


def test_nodes_that_go_on_for_ever_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noisewise.tables.columns.edge_lists.MOST_NAMES", 100)
    assert finding(lambda purse: nws.triangles(EDGES, nodes=count(), epsilon=1, ledger=purse)) is None
    assert nws.triangles(EDGES, nodes=iter(range(100)), epsilon=1).value >= 0
