"""Balls hold their number, and the working precision belongs to one block at a time."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from flint import ctx

from noisewise.kernel.numbers.balls import ball, precision


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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_while_another_thread_computes_leaves_the_child_able_to():
    script = """
import os, threading, time
from noisewise.kernel.numbers.balls import precision
from noisewise import ZCDP
ZCDP(1).as_approx(1e-6)
busy, done = threading.Event(), threading.Event()
def hold():
    with precision(64):
        busy.set()
        time.sleep(0.2)
thread = threading.Thread(target=hold)
thread.start()
busy.wait()
child = os.fork()
if child == 0:
    ZCDP(2).as_approx(1e-6)
    os._exit(7)
thread.join()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.stdout.strip() == "7", ran.stderr
