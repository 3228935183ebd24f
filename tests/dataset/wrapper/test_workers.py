"""Functions that try to say more than a number: by errors, prints, warnings, globals, exits, signals, their input."""

import ctypes
import logging
import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from noisewise.dataset.wrapper.worker import number, read_numbers
from noisewise.dataset.wrapper.workers import Workers
from noisewise.errors import ParameterError, ParameterTypeError

SEEN = []
GENERATOR = np.random.default_rng(7)


def evaluate(f, blocks, names=(), **keywords):
    with Workers(f, names, **keywords) as workers:
        found = dict(workers.evaluate(None if each is None else pickle.dumps(each) for each in blocks))
    return [found[place].tolist() if names else found[place].item() for place in range(len(blocks))]


def total(block):
    return sum(block)


def shouts(block):
    print(block)
    sys.stderr.write(str(block))
    sys.__stdout__.write(str(block))
    os.write(1, b"one")
    os.write(2, b"two")
    warnings.warn(str(block), stacklevel=1)
    logging.getLogger().error("%s", block)
    subprocess.run(["echo", "three"], check=False)
    ctypes.CDLL(None).puts(b"four")
    return 1


def fails(block):
    (how,) = block
    raise how


def leaves(block):
    (how,) = block
    if how == "exit":
        os._exit(0)
    if how == "abort":
        os.abort()
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "parent":
        os.kill(os.getppid(), signal.SIGKILL)
    if how == "fork":
        os.fork()
    if how == "close":
        os.closerange(0, 100)
    return len(block)


def deep(block):
    return deep(block)


def remembers(block):
    SEEN.append(block)
    return len(SEEN)


def draws(block):
    return GENERATOR.integers(1000) if block else GENERATOR.integers(1000, size=5).sum() * 0


def sleeps(block):
    time.sleep(block[0])
    return 3


def hashes(block):
    time.sleep(block[0])
    return hash("some text")


def mutates(block):
    block.append(block)
    return len(block)


REST = pytest.mark.rest
ALL = (None, 2)


@pytest.mark.parametrize("number", ALL)
def test_every_block_has_its_own_number(number):
    blocks = [[place, 1] for place in range(7)] + [None, list(range(100_000))]
    numbers = evaluate(total, blocks, number=number)
    assert numbers[:7] == [1, 2, 3, 4, 5, 6, 7]
    assert np.isnan(numbers[7])
    assert numbers[8] == sum(range(100_000))


def test_any_function_will_do_without_workers():
    here = 5
    assert evaluate(lambda block: here + len(block), [[1], [1, 2]]) == [6, 7]


@pytest.mark.parametrize("number", [None, pytest.param(1, marks=REST)])
def test_what_a_function_prints_is_dropped(number, capfd, caplog):
    assert evaluate(shouts, [["secret"]], number=number) == [1]
    assert capfd.readouterr() == ("", "")
    assert caplog.text == ""


def test_whatever_a_function_raises_is_no_number():
    class Mine(BaseException):
        pass

    raised = [ValueError("x"), SystemExit(3), KeyboardInterrupt(), RecursionError(), MemoryError(), Warning()]
    assert np.isnan(evaluate(fails, [[each] for each in raised])).all()
    assert np.isnan(evaluate(lambda block: (_ for _ in ()).throw(Mine()), [[1]])).all()
    assert np.isnan(evaluate(deep, [[1]])).all()


@pytest.mark.parametrize("number", [None, pytest.param(1, marks=REST)])
def test_a_process_that_dies_takes_no_other_block_along(number):
    how = ["exit", "abort", "kill", "parent", "fork", "close", "stays"]
    numbers = evaluate(leaves, [[each] for each in how], number=number)
    assert np.isnan(numbers).tolist() == [True, True, True, False, False, True, False]


@pytest.mark.parametrize("number", [None, pytest.param(1, marks=REST)])
def test_no_block_sees_what_another_left_behind(number):
    assert evaluate(remembers, [[1], [2], [3]], number=number) == [1, 1, 1]
    first, second = (evaluate(draws, blocks, number=number) for blocks in ([[1], [1]], [[], [1]]))
    assert first[1] == second[1]
    assert SEEN == []


def test_which_worker_has_a_block_depends_on_no_other_block():
    """Fresh processes have other seeds of hashes."""
    numbers = evaluate(hashes, [[0.5], *[[0]] * 7], number=2)
    assert len({*numbers[::2]}) == len({*numbers[1::2]}) == 1
    assert numbers[0] != numbers[1]


def test_what_a_function_writes_to_open_files_is_no_answer(tmp_path):
    files = [open(tmp_path / str(place), "w") for place in range(8)]  # noqa: SIM115
    lowest = range(3, 1 + min(file.fileno() for file in files))  # all are open here

    def writes(block):
        for place in lowest:
            with suppress(OSError):
                os.write(place, b"more than eight bytes")
        return len(block)

    assert evaluate(writes, [[1], [1, 2]]) == [1, 2]
    for file in files:
        file.close()


def test_a_function_that_thinks_too_long_has_no_number():
    began = time.monotonic()
    numbers = evaluate(sleeps, [[60], [0], [60]], timeout=0.5)
    assert np.isnan(numbers).tolist() == [True, False, True]
    assert time.monotonic() - began < 30


def test_a_block_is_a_copy():
    block = [1, 2]
    assert evaluate(mutates, [block, block]) == [3, 3]
    assert block == [1, 2]


def test_numbers_are_read_and_nothing_else():
    class Odd:
        def __float__(self):
            raise SystemError

    right = {True: 1, 3: 3, Fraction(1, 2): 0.5, Decimal("2.5"): 2.5, 10**400: np.inf, -(10**400): -np.inf}
    assert {answer: number(answer) for answer in right} == right
    assert number(np.float32(0.5)) == number(np.array(0.5)) == 0.5
    wrong = ("1", b"1", None, [1], 1j, Odd(), np.nan, object())
    assert all(np.isnan(number(answer)) for answer in wrong)
    assert read_numbers({"a": 1}, ("a", "b"))[0] == 1
    assert np.isnan(read_numbers({"a": 1}, ("a", "b"))[1])
    assert read_numbers(np.array([1, 2]), (1, 2)) == [1, 2]
    assert np.isnan(read_numbers([1, 2, 3], (1, 2))).all()


def test_several_numbers_come_back_by_name():
    names = ("low", "high")
    numbers = evaluate(lambda block: {"high": max(block), "low": min(block)}, [[1, 5]], names)
    assert numbers == [[1, 5]]
    assert np.isnan(evaluate(lambda block: 3, [[1, 5]], names)).all()


def test_a_function_that_cannot_be_pickled_or_imported_is_refused():
    with pytest.raises(ParameterTypeError, match="can be pickled where workers are given"):
        Workers(lambda block: 1, number=1)
    with pytest.raises(ParameterError, match="a fresh Python process can import"), Workers(Gone(), number=1):
        pass


class Gone:
    """A function that a fresh process cannot load."""

    def __call__(self, block):
        return 1

    def __reduce__(self):
        return (os.getcwd, (1,))


def test_no_process_is_left():
    with Workers(total) as workers:
        ((process, _),) = workers._idle.values()
        assert process.is_alive()
        found = workers.evaluate([pickle.dumps([1]), pickle.dumps([2])])
        next(found)
        found.close()
    with pytest.raises(ValueError, match="closed"):
        process.is_alive()
