"""Ask about lists, arrays, frames and Datasets; what is refused before the debit, and what is told of a release."""

import os
import pickle
import signal
import threading
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise.dataset.wrapper.copies import rows_of
from noisewise.errors import NoisewiseError, ReleaseFailed

FAST = {"bounds": (0, 10), "epsilon": 64, "blocks": 3, "rounds": 1}


class Purse:
    """A ledger that counts."""

    def __init__(self):
        self.paid = []

    def debit(self, loss, **facts):
        self.paid.append((loss, facts))


@pytest.fixture
def purse():
    return Purse()


def size(block):
    return len(block)


ROWS = {"x": [1.5, None, 3.0, 4.0], "k": ["a", "bbbb", "a", None]}
COLUMNS = pd.DataFrame(ROWS)
DATA = {
    "list": [1, 2, 3, 4],
    "tuple": (1, 2, 3, 4),
    "array": np.arange(4.0),
    "matrix": np.ones((4, 2)),
    "pandas": COLUMNS,
    "series of pandas": COLUMNS["x"],
    "polars": pl.DataFrame(ROWS),
    "series of polars": pl.Series("x", ROWS["x"]),
    "arrow": pa.table(ROWS),
    "column of arrow": pa.chunked_array([ROWS["x"]]),
}


@pytest.mark.parametrize("kind", DATA)
def test_a_function_gets_the_same_kind_of_object(kind):
    data = DATA[kind]
    got = rows_of(data).copy(np.array([1, 3]))
    assert type(got) is type(data)
    assert len(got) == 2
    here = type(data)
    asked = {**FAST, "blocks": 1}
    assert nws.wrap(
        lambda block: 10 * (type(block) is here) - len(block), data, **asked
    ).value == pytest.approx(6, abs=0.1)


@pytest.mark.parametrize("kind", DATA)
def test_data_without_rows_has_an_answer(kind):
    data = DATA[kind]
    empty = data[:0] if kind != "arrow" else data.slice(0, 0)
    assert 0 <= nws.wrap(size, empty, **FAST).value <= 10


def test_a_copy_says_nothing_of_other_records():
    frame = pd.DataFrame(
        {"c": pd.Categorical(["a", "b", "secret"]), "i": pd.Categorical([1, 2, None])}, index=[7, 8, 9]
    )
    frame.attrs["n"] = 3
    some = rows_of(frame).copy(np.array([1]))
    assert (some.index.tolist(), some.attrs) == ([0], {})
    assert "secret" not in repr(some.dtypes.tolist())
    assert some["i"].tolist() == [2]
    assert rows_of(frame["c"]).copy(np.array([2])).dtype == object
    texts = np.array(["a", "much longer than that"])
    assert rows_of(texts).copy(np.array([0])).dtype == "<U1"
    many = pl.DataFrame({"c": ["a", "secret"]}, schema={"c": pl.Categorical})
    assert rows_of(many).copy(np.array([0])).schema == {"c": pl.String}
    assert rows_of(many["c"]).copy(np.array([0])).dtype == pl.String
    table = pa.Table.from_pandas(frame)
    assert table.schema.metadata
    some = rows_of(table).copy(np.array([0]))
    assert some.schema.metadata is None
    assert some.schema.field("c").type == pa.large_string()
    assert b"secret" not in some.column("c").combine_chunks().buffers()[-1].to_pybytes()


@pytest.mark.parametrize("nest", [lambda x: [x], lambda x: {"a": [x]}, lambda x: [x.encode()]])
def test_a_copy_of_nested_texts_holds_no_text_of_other_rows(nest):
    rows = pl.DataFrame({"x": [nest(text) for text in ("a text that is long", *["a secret text"] * 50)]})
    for data in (rows, rows["x"]):
        packed = rows_of(data).packed(np.array([0]))
        assert b"secret" not in packed
        assert pickle.loads(packed).equals(data[:1])
    assert rows_of(rows[:0]).copy(np.empty(0, np.int64)).schema == rows.schema


WRONG = {
    "f": ({"f": 3}, "must be a function"),
    "engine": ({"data": pl.DataFrame(ROWS).lazy()}, "must be a list.* into memory first"),
    "text": ({"data": "abc"}, "must be a list"),
    "objects": (
        {"data": pl.DataFrame({"x": pl.Series([{1}], dtype=pl.Object)})},
        "must have columns of types",
    ),
    "dict": ({"data": ROWS}, "must be a list"),
    "fields": ({"data": np.zeros(3, [("a", int)])}, "plain array"),
    "masked": ({"data": np.ma.array([1, 2])}, "plain array|must be a list"),
    "number": ({"data": np.array(3)}, "plain array"),
    "same names": ({"data": pd.DataFrame([[1, 2]], columns=["a", "a"])}, "different names"),
    "nested": (
        {"data": pl.DataFrame({"c": [["a"]]}, schema={"c": pl.List(pl.Categorical)})},
        "categories inside another type",
    ),
    "no price": ({"epsilon": None}, "epsilon or rho must be given"),
    "blocks": ({"blocks": 0}, "blocks must be at least 1"),
    "rounds": ({"rounds": 0}, "rounds must be at least 1"),
    "too many": ({"blocks": 2**20, "rounds": 2}, "at most 1,048,576 evaluations"),
    "bounds": ({"bounds": (3, 1)}, "lowest < highest"),
    "no bounds": ({"bounds": {}}, "must hold a pair"),
    "step": ({"granularity": 0}, "granularity must be above 0"),
    "steps": ({"granularity": {"a": 1}}, "one for each name"),
    "timeout": ({"timeout": 0}, "timeout must be above 0"),
    "workers": ({"workers": 0}, "workers must be at least 1"),
    "lambda": ({"f": lambda block: 1, "workers": 1}, "can be pickled"),
    "swap": ({"neighbors": "swap", "contributions": 2}, "contributions must be 1"),
    "nobody": ({"contributions": 0}, "contributions must be at least 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_calls_are_refused_before_the_debit(case, purse):
    given, message = WRONG[case]
    given = {"f": size, "data": [1, 2], **FAST, "ledger": purse, **given}
    with pytest.raises(NoisewiseError, match=message):
        nws.wrap(given.pop("f"), given.pop("data"), **given)
    assert purse.paid == []


def test_a_release_says_what_was_asked_and_is_paid_first(purse):
    release = nws.wrap(size, [1] * 30, bounds=(0, 10), epsilon=8, ledger=purse)
    ((loss, facts),) = purse.paid
    assert loss == release.privacy == nws.PureDP(8)
    assert facts == {
        "neighbors": "add_remove",
        "contributions": 1,
        "memo": "wrap(size) by blocks/1, balance/1",
    }
    assert release.granularity == Fraction(1, 64) * 2 ** round(np.log2(64 * 10 / 1000))
    assert (release.statistic, release.law, release.bounds) == ("wrap(size)", "blocks/1, balance/1", (0, 10))
    assert release.notes[0] == "the median of 64 values: 8 blocks in each of 8 rounds"
    assert release.private


def test_a_ledger_of_the_library_pays_and_suggests(tmp_path):
    with nws.Ledger.open(tmp_path / "a.ledger", budget=nws.PureDP(1)) as ledger:
        nws.wrap(size, [1, 2], ledger=ledger, **{**FAST, "epsilon": 0.75})
        assert ledger.spent == nws.PureDP(0.75)
        with pytest.raises(nws.BudgetExceeded, match="25"):
            nws.wrap(size, [1, 2], ledger=ledger, **FAST)


def test_several_numbers_have_names():
    release = nws.wrap(
        lambda block: {"size": len(block), "four": 4},
        [1] * 30,
        **{**FAST, "bounds": {"four": (0, 8), "size": (0, 20)}},
    )
    assert release.names == ("four", "size")
    assert release.value[0] == pytest.approx(4, abs=0.1)
    both = nws.wrap(
        lambda block: np.array([1, 7]), [1] * 9, **{**FAST, "bounds": [(0, 8), (0, 20)], "blocks": 1}
    )
    assert both.value == pytest.approx((1, 7), abs=0.2)


def test_a_function_that_always_fails_has_the_lower_bound():
    release = nws.wrap(lambda block: 1 / 0, [1] * 9, **{**FAST, "bounds": (3, 7)})
    assert release.value == pytest.approx(3, abs=0.1)


def test_a_dataset_keeps_people_together_and_leaves_rows_out(purse):
    frame = pd.DataFrame({"who": [1, 2, None, 1, 2, 1] * 4, "x": [1, 2, 3, 4, 5, 99] * 4})
    data = nws.Dataset(frame, unit="who", contributions=2, ledger=purse, name="visits").where("x < 9")
    together = nws.wrap(
        lambda block: 10 * (set(block.groupby("who").size()) <= {8}), data, **{**FAST, "blocks": 1}
    )
    assert together.value == pytest.approx(10, abs=0.1)
    assert together.people == "who"
    assert "only rows where x < 9" in together.notes
    ((_, facts),) = purse.paid
    assert facts["unit"] == "who"
    assert facts["memo"].endswith("where x < 9")
    assert nws.wrap(size, nws.Dataset(frame).where("x < 0"), **FAST).value == pytest.approx(0, abs=0.1)
    with pytest.raises(NoisewiseError, match="contributions must be said when the Dataset is made"):
        nws.wrap(size, data, **FAST, contributions=2)
    with pytest.raises(NoisewiseError, match="a Dataset behind an engine"):
        nws.wrap(size, nws.Dataset(pl.DataFrame(ROWS).lazy()), **FAST)
    with pytest.raises(NoisewiseError, match="contributions must be a number for wrap"):
        nws.wrap(size, nws.Dataset(frame, unit="who", contributions="private"), **FAST)
    assert len(purse.paid) == 1


def test_plans_and_simulations():
    plan = nws.plan(nws.wrap, size, bounds=(0, 10), epsilon=1)
    assert "21 blocks in each of 8 rounds" in str(plan)
    assert plan.epsilon == 1
    simulation = nws.simulate(nws.wrap, [1] * 12, size, **{**FAST, "blocks": 1})
    assert simulation.answer == 12
    assert simulation.expected_error == pytest.approx(2, abs=0.2)


def test_progress_counts_blocks():
    told = []
    nws.wrap(size, [1] * 9, **FAST, progress=lambda text, share: told.append((text, share)))
    assert told == [(f"{i} of 3 blocks", i / 3) for i in (1, 2, 3)]


def test_control_c_gives_no_value_and_the_debit_stands(purse):
    def ask():
        nws.wrap(slow, [1] * 9, **FAST, ledger=purse)

    def press():
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.5, press).start()
    with pytest.raises(KeyboardInterrupt):
        ask()
    assert len(purse.paid) == 1


def slow(block):
    import time

    time.sleep(100)
    return 1


def test_progress_that_fails_gives_no_value(purse):
    def fail(text, share):
        raise ValueError(text)

    with pytest.raises(ReleaseFailed):
        nws.wrap(size, [1] * 9, **FAST, ledger=purse, progress=fail)
    assert len(purse.paid) == 1


def test_records_that_cannot_be_pickled_are_no_error():
    class Odd:
        def __reduce__(self):
            raise SystemError

    release = nws.wrap(size, [Odd()] * 9, **FAST)
    assert release.value == pytest.approx(0, abs=0.1)
