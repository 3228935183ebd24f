"""Where randomness comes from."""

import os
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewise.hazmat import SeededBits
from noisewise.kernel.sampling import SystemBits
from noisewise.kernel.sampling.bits import Uniform
from tests.kernel.sampling.goodness import Expansion, p_value, tilted


@pytest.mark.parametrize("source", [SystemBits(), SeededBits(1)], ids=["system", "seeded"])
@pytest.mark.parametrize("count", [0, 1, 7, 10_000])
def test_a_source_hands_out_so_many_words(source, count):
    words = source.words(count)
    assert words.shape == (count,)
    assert words.dtype == np.uint64


@pytest.mark.fails_by_chance(2e-11)  # two of 21,000 words of 64 bits are the same: 21,000 ** 2 / 2**65
def test_the_system_never_repeats_itself():
    source = SystemBits()
    words = np.concatenate([source.words(1000) for _ in range(20)] + [SystemBits().words(1000)])
    assert np.unique(words).size == words.size


def test_the_system_is_asked_for_every_word(monkeypatch):
    asked = []
    monkeypatch.setattr(os, "urandom", lambda size: asked.append(size) or bytes(range(size)))
    words = SystemBits().words(2)
    assert asked == [16]
    assert words.tobytes() == bytes(range(16))


@pytest.mark.fails_by_chance(
    1e-9
)  # 1e-12, were the counts of the statistic's law: they are large, and 1e-9 is safe
def test_bits_of_the_system_are_even():
    octets = SystemBits().words(100_000).view(np.uint8)
    counts = np.bincount(octets, minlength=256)
    assert p_value(counts, np.full(256, 1 / 256)) > 1e-12
    assert p_value(counts, tilted(np.full(256, 1 / 256))) < 1e-12


@pytest.mark.fails_by_chance(
    1e-11
)  # by Hoeffding's inequality at most 64 * 2 * exp(-2 * (8 * 158.2)**2 / 100_000)
def test_every_bit_of_a_word_is_even():
    """No bit is stuck, the lowest and the highest included: 100,000 coins each."""
    words = SystemBits().words(100_000)
    heads = [int(np.sum(words >> np.uint64(bit) & np.uint64(1))) for bit in range(64)]
    assert all(abs(h - 50_000) < 8 * 158.2 for h in heads)


@settings(deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1), min_size=8, max_size=8))
def test_refining_doubles_the_bits_and_keeps_those_it_had(words):
    number = sum(Fraction(word, 2 ** (64 * (i + 1))) for i, word in enumerate(words))
    source = Expansion(number)
    uniform = Uniform(int(source.words(1)[0]), source)
    for bits in (64, 128, 256, 512):
        assert uniform.bits == bits
        assert source.taken == bits // 64
        assert uniform.numerator == number * 2**bits // 1
        low, high = uniform.ends
        assert low <= number < high == low + Fraction(1, 2**bits)
        if bits < 512:
            uniform.refine()
