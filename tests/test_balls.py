"""Balls hold their number, and the working precision belongs to one block at a time."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

from flint import ctx

from noisewise.balls import ball, precision


def test_a_ball_holds_its_number() -> None:
    with precision(64):
        third = ball(Fraction(1, 3))
        assert third.contains(ball(Fraction(1, 3)).mid()) or not third.is_exact()
        assert 3 * third <= 1 + ball(Fraction(1, 2**50))
        assert not bool(3 * third > 1)


def test_the_precision_is_that_of_the_block_and_is_put_back() -> None:
    before = ctx.prec
    with precision(300):
        assert ctx.prec == 300
        with precision(70):
            assert ctx.prec == 70
        assert ctx.prec == 300
    assert ctx.prec == before


def test_threads_do_not_disturb_each_other() -> None:
    """Without the lock, blocks of different precision interleave and the last to leave keeps its own."""
    before = ctx.prec

    def work(bits: int) -> set[int]:
        seen = set()
        for _ in range(300):
            with precision(bits):
                (ball(Fraction(1, 3)) + bits).exp()
                seen.add(ctx.prec)
        return seen

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, [100, 200, 300, 400])) == [{100}, {200}, {300}, {400}]
    assert ctx.prec == before
