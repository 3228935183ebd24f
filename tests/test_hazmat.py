"""Hazmat shows the law of a release, replays draws from a seed, and marks both as not private."""

import inspect
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.hazmat import SeededBits, law, replay, salted
from noisewise.planning.readings.read_law import read_law

MEDIAN = nws.Quantile("1/2")
DATA = [3, 1, 4, 1, 5, 9, 2, 6, 5]
ASKED = {"bounds": (0, 10), "epsilon": 1}


def test_it_is_at_the_front_door():
    assert nws.hazmat.law is law
    assert (
        sorted(nws.hazmat.__all__) == nws.hazmat.__all__ == ["SeededBits", "law", "plot", "replay", "salted"]
    )


def test_the_keywords_of_law():
    parameters = inspect.signature(law).parameters
    assert list(parameters)[:2] == ["statistic", "data"]
    assert {k: p.default for k, p in list(parameters.items())[2:]} == {
        "bounds": None,  # some statistics need none; the others say so
        "epsilon": None,
        "rho": None,
        "granularity": None,
        "neighbors": "add_remove",
        "contributions": 1,
        "mechanism": "auto",
        "smooth": 0,
        "levels": None,
    }
    assert list(parameters)[2:] == [
        "bounds",
        "epsilon",
        "rho",
        "granularity",
        "neighbors",
        "contributions",
        "mechanism",
        "smooth",
        "levels",
    ]
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in list(parameters.values())[2:])


def test_its_defaults_are_those_of_a_release():
    for function in (law, replay):
        ours, theirs = inspect.signature(function).parameters, inspect.signature(nws.median).parameters
        shared = [k for k in ours if k in theirs and k != "data"]
        assert shared == [
            "bounds",
            "epsilon",
            "rho",
            "granularity",
            "neighbors",
            "contributions",
            "mechanism",
            "smooth",
        ]
        assert [ours[k].default for k in shared[1:]] == [theirs[k].default for k in shared[1:]]


def test_the_law_as_promised():
    shown = law(
        nws.Quantile("1/2"),
        DATA,
        bounds=(0, 100),
        epsilon=1,
        granularity=1,
        neighbors="swap",
        contributions=1,
        mechanism="piecewise_laplace",
        levels=None,
    )
    assert shown.support == (0, 100)
    assert read_law(shown).cost(4) == 0 and read_law(shown).cost([3, 5]).tolist() == [1, 1]
    assert isinstance(read_law(shown).cost(37), Fraction)
    assert read_law(shown).cost([7, 8]).tolist() == [
        Fraction(10, 3),
        Fraction(11, 3),
    ]  # a third, two thirds of the way to 9
    assert abs(read_law(shown).pmf(np.arange(101)).sum() - 1) < 1e-12
    assert read_law(shown).pmf([4.0, 4 + 9e-7, 4.01, -1, 101, np.nan]).tolist()[2:] == [0, 0, 0, 0]
    assert read_law(shown).pmf(4) == read_law(shown).pmf(4 + 9e-7) == read_law(shown).pmf(np.array([4])).max()
    assert read_law(shown).pmf(4) > read_law(shown).pmf(5) > 0
    drawn = shown.draw(1000)
    assert drawn.shape == (1000,) and drawn.dtype == np.int64
    assert set(drawn.tolist()) <= set(range(101))


def test_a_law_in_fractions_of_a_unit():
    shown = law(MEDIAN, [0.5, 1.5], bounds=(0, 2), epsilon=1, granularity=0.1, mechanism="piecewise_laplace")
    assert shown.support == (0.0, 2.0)
    assert read_law(shown).pmf(0.3) == read_law(shown).pmf(3 * 0.1) > 0
    assert read_law(shown).cost(0.3) == read_law(shown).cost(Fraction(3, 10))
    assert shown.draw(5).dtype == np.float64


def test_levels_replace_the_rule():
    full, cut, none = (
        law(MEDIAN, DATA, **ASKED, levels=k, mechanism="piecewise_laplace") for k in (None, 2, 0)
    )
    assert (full.envelope.lower.size, cut.envelope.lower.size, none.envelope.lower.size) == (10, 3, 1)
    assert read_law(none).cost([0, 10]).tolist() == [1, 1]
    assert read_law(cut).cost(5) == read_law(full).cost(5)


@pytest.mark.parametrize("levels", [-1, 2**63])
def test_levels_are_counted(levels):
    with pytest.raises(ParameterError, match=r"^levels must be "):
        law(MEDIAN, DATA, **ASKED, levels=levels)
    with pytest.raises(ParameterTypeError, match=r"^levels must be a whole number, got "):
        law(MEDIAN, DATA, **ASKED, levels=float(levels))


@pytest.mark.parametrize("statistic", ["median", None, 0.5, nws.Quantile, nws.median], ids=range(5))
def test_a_statistic_is_asked_for(statistic):
    for function, extra in ((law, {}), (replay, {"seed": 1})):
        with pytest.raises(ParameterTypeError, match=r"^statistic must be a statistic such as "):
            function(statistic, DATA, **ASKED, **extra)


def test_it_refuses_what_a_release_refuses():
    with pytest.raises(ParameterError, match=r"^epsilon must be above 0"):
        law(MEDIAN, DATA, bounds=(0, 10), epsilon=0)
    with pytest.raises(SchemaError, match=r"^data must be "):
        replay(MEDIAN, "text", **ASKED, seed=1)


def test_a_law_does_not_print_itself():
    assert repr(law(MEDIAN, DATA, **ASKED)) == "<BalanceReading: withheld>"


# Seeds


def test_the_stream_of_a_seed_never_changes():
    """These numbers must never change: a seed gives the same words for ever."""
    bits = SeededBits(0)
    assert [hex(w) for w in bits.words(3)] == VECTORS[0]
    assert [hex(w) for w in bits.words(1)] == VECTORS[1]
    assert [hex(w) for w in SeededBits(2**63 - 1).words(2)] == VECTORS[2]
    assert bits.words(0).size == 0


VECTORS = [
    ["0xf6ecf0ff13c2ba42", "0xdc207874d67c0eab", "0x382ba6db8f3e210e"],
    ["0xca56b5f03a30c072"],
    ["0x4f65555d872b43df", "0x64f8c34fd8373d77"],
]


def test_words_are_native_64_bits():
    words = SeededBits(1).words(5)
    assert words.dtype == np.uint64 and words.dtype.isnative
    assert len(set(words.tolist())) == 5


def test_seeds_differ_and_calls_differ():
    one, same, other = SeededBits(1), SeededBits(1), SeededBits(2)
    first = one.words(4).tolist()
    assert same.words(4).tolist() == first
    assert other.words(4).tolist() != first
    assert one.words(4).tolist() != first


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_has_limits(seed):
    with pytest.raises(ParameterError, match=r"^seed must be "):
        SeededBits(seed)


@pytest.mark.parametrize("seed", [None, 1.0, "1", True, b"1"])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(ParameterTypeError, match=r"^seed must be a whole number, got "):
        SeededBits(seed)


def test_a_replay_is_the_same_every_time_and_says_so():
    once, again = (replay(MEDIAN, DATA, **ASKED, seed=11) for _ in range(2))
    assert once == again
    assert once.private is False and once.to_dict()["private"] is False
    assert "NOT PRIVATE" in repr(once)
    assert once.receipt is None


def test_a_sampler_that_uses_its_bits_otherwise_is_noticed():
    incomes = list(range(20_000, 80_000, 750))
    replays = [
        replay(nws.Quantile(q), incomes, bounds=(0, 1_000_000), epsilon=1, seed=5, mechanism=by).value
        for by in ("piecewise_laplace", "balance")
        for q in (0.1, 0.5)
    ]
    assert replays == REPLAYS


REPLAYS = [26524, 49774, 24945, 49175]


def test_replays_of_other_seeds_follow_the_law():
    shown = law(MEDIAN, DATA, **ASKED)
    values = [replay(MEDIAN, DATA, **ASKED, seed=seed).value for seed in range(400)]
    chances = read_law(shown).pmf(np.arange(11))
    counts = np.bincount(values, minlength=11)
    assert ((counts - 400 * chances) ** 2 / (400 * chances)).sum() < 30  # ten degrees of freedom: 1 in 1,000


def test_a_replay_takes_no_ledger():
    with pytest.raises(TypeError, match="ledger"):
        replay(MEDIAN, DATA, **ASKED, seed=1, ledger=None)


def test_no_seed_is_accepted_by_a_release():
    with pytest.raises(TypeError, match="seed"):
        nws.median(DATA, **ASKED, seed=1)


def test_a_known_salt_chooses_the_same_records_every_time():
    frame = pl.DataFrame({"id": ["ann"] * 50, "x": range(50)})
    dataset = nws.Dataset(frame, unit="id", contributions=5)
    lattice = nws.kernel.numbers.lattice.Lattice.between((0, 50))

    def chosen(salt):
        twin = salted(dataset, salt)
        return twin._table.column("x", twin.choice, "").read(lattice, "add_remove").ordered().tolist()

    assert chosen("a") == chosen("a") != chosen("b")
    assert salted(dataset, "a").choice.salt == "a" != dataset.choice.salt


def test_a_salt_is_text():
    with pytest.raises(ParameterTypeError, match="salt must be text, got 3"):
        salted(nws.Dataset(pl.DataFrame({"x": [1]})), 3)


def test_laws_are_drawn_on_one_axis_and_say_that_they_are_secret():
    laws = {name: law(MEDIAN, DATA, **ASKED, mechanism=name) for name in ("balance", "piecewise_laplace")}
    picture = nws.hazmat.plot(laws, records=DATA)
    assert "NOT PRIVATE" in picture.svg and "piecewise_laplace" in picture.svg
    assert picture.svg.count('class="whisker"') == len(DATA)
    for name, each in laws.items():
        chances = [float(read_law(each).pmf(k)) for k in range(1, 11)]
        top = max(range(1, 11), key=lambda k: chances[k - 1])
        assert f"{nws.results.pictures.svg.number(chances[top - 1])} at {top}" in picture.svg, name
    assert nws.hazmat.plot(laws["balance"]).svg.count("<path") == 1
    for wrong in ({}, {"a": 3}, 3):
        with pytest.raises(ParameterTypeError, match="must be a law, or laws by their names"):
            nws.hazmat.plot(wrong)


def test_the_envelope_is_drawn_as_a_staircase_below_the_law():
    law = nws.hazmat.law(nws.Quantile("1/2"), DATA, bounds=(0, 10), epsilon=1, mechanism="piecewise_laplace")
    picture = nws.hazmat.plot({"law": law}, envelope=law.envelope)
    assert picture.svg.count("<path") == 2 and "would have to change their data" in picture.svg
    stairs = dict(nws.hazmat._stairs(law.envelope, 1.0))
    for answer in range(11):
        level = stairs[max(at for at in stairs if at <= answer)]
        needed = [
            l
            for l in range(law.envelope.lower.size)
            if law.envelope.lower[l] <= answer <= law.envelope.upper[l]
        ]
        assert level == min(needed, default=law.envelope.lower.size)
    assert "people needed: " in picture.svg
