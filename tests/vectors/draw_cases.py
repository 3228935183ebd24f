"""Draws from seeds, receipts and entries of ledgers, as they are now: the same seed gives the same for ever."""

import json
import sqlite3
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import noisewise as nws
from tests.vectors import law_cases, ours
from tests.vectors.questions import FRAME, INCOMES, QUESTIONS

Case = dict[str, Any]
SEEDED = nws.hazmat.SeededBits
SEED = 20_240
SIZE = 12


def scalars() -> Case:
    """Many draws from one law: every mechanism, on narrow steps, open sides and steps that need ball arithmetic."""
    cases = []
    far = [law_cases.Levels((2**20, 7, 0), (2**20, 2**40, 2**50), 0, 2**51)]
    for version, kind in ours.MECHANISMS.items():
        for place, levels in enumerate([*law_cases.ENVELOPES, *far]):
            endless = levels.low is None or levels.high is None
            if version.startswith("permute") and (endless or levels in far):
                continue
            how = {"sensitivity": levels.stride or 5} if version.startswith("discrete") else {}
            for epsilon in (Fraction(1, 3), Fraction(8)):
                law = ours.law_of_levels(law_cases.shown(levels), kind(epsilon=epsilon, **how))
                drawn = law.draw(SIZE, bits=SEEDED(place)).tolist()
                cases.append({"law": version, "seed": place, "epsilon": str(epsilon), "drawn": drawn})
    return {"cases": cases}


def whole_costs() -> Case:
    """Permute-and-flip at its true rate: one law, and answers of many groups at once."""
    cases = []
    for place, levels in enumerate((law_cases.TIED, law_cases.FLAT)):
        for epsilon in (Fraction(1, 3), Fraction(8)):
            law = ours.law_of_levels(law_cases.shown(levels), ours.WHOLE(epsilon=epsilon))
            drawn = law.draw(SIZE, bits=SEEDED(place)).tolist()
            cases.append({"seed": place, "epsilon": str(epsilon), "drawn": drawn})
    by = nws.Dataset(FRAME.with_columns(tens=np.array(INCOMES) // 100)).group_by("team", keys=list("abcd"))
    with ours.seeded(SEED):
        answers = by.median("tens", bounds=(0, 9), granularity=1, epsilon=4)
    return {"cases": cases, "groups": list(answers.value)}


def batches() -> Case:
    """One draw from each of many laws of different lengths."""
    data = [INCOMES[k : k + 1 + k * k % 23] for k in range(80)]
    cases = []
    for name in ("piecewise_laplace", "inverse_sensitivity", "permute_and_flip", "laplace"):
        laws = [
            nws.hazmat.law(nws.Quantile("1/2"), each, bounds=(0, 1000), epsilon=1, mechanism=name)
            for each in data
        ]
        one = laws[0]
        stacked = nws.Envelope.stack([law.envelope for law in laws])
        batch = type(one)(stacked, one.rate, one.graded, one.granularity, one.clamp)
        cases.append({"mechanism": name, "drawn": batch.draw_each(bits=SEEDED(3)).tolist()})
    return {"cases": cases}


def vectors() -> Case:
    """Draws from balls, of every norm, on few dimensions and on many."""
    cases = []
    for norm in ours.NORMS:
        for graded in (True, False):
            for radii, stride in [*law_cases.RADII, ((1, 3, 2**30), 2**30)]:
                for dimensions in (1, 2, 7):
                    case = {"radii": list(radii), "stride": stride, "norm": norm, "dimensions": dimensions}
                    law = ours.ball_law(case, Fraction(1, 2), graded)
                    cases.append({**case, "graded": graded, "drawn": law.draw(2, bits=SEEDED(5)).tolist()})
    return {"cases": cases}


def before(statistic: nws.Statistic, how: dict[str, Any]) -> str:
    """What auto chose before there was balance: these vectors are those of the older mechanisms."""
    return "auto" if isinstance(statistic, nws.Sum) else "piecewise_laplace"


def replays() -> Case:
    """Replays of whole questions."""
    asked: list[Any] = [
        (nws.Quantile("1/3"), {"bounds": (0, 1000)}),
        (nws.Quantile("1/2"), {"bounds": (0.0, 1000.0), "neighbors": "swap"}),
        (nws.Quantile(1), {"bounds": (0, 2**50)}),
        (nws.Mean(), {"bounds": (0, 1000), "contributions": 2}),
        (nws.Mean(), {"bounds": (0, 1000), "mechanism": "piecewise_laplace"}),
        (nws.Sum(), {"bounds": (-5, 1000)}),
        (nws.Sum(), {"bounds": (0.0, 1000.0), "mechanism": "piecewise_laplace"}),
        (nws.Count(), {"mechanism": "inverse_sensitivity"}),
        (nws.Variance(), {"bounds": (0, 1000)}),
        (nws.IQR(), {"bounds": (0, 1000), "mechanism": "permute_and_flip"}),
    ]
    cases = []
    for statistic, how in asked:
        drawn = [
            nws.hazmat.replay(
                statistic, INCOMES, epsilon=1, seed=seed, **{"mechanism": before(statistic, how), **how}
            ).value
            for seed in range(6)
        ]
        cases.append(
            {
                "statistic": str(statistic),
                "asked": {key: str(value) for key, value in how.items()},
                "drawn": drawn,
            }
        )
    return {"cases": cases}


def groups() -> Case:
    """Answers of many groups at once: most are decided by the first levels, some need all."""
    wide = FRAME.with_columns(
        team=np.arange(FRAME.height) % 37,
        pay=np.array(INCOMES) ** 2,
    )
    by = nws.Dataset(wide).group_by("team", keys=list(range(40)))
    asked: dict[str, Callable[[], Any]] = {
        "median": lambda: by.median("pay", bounds=(0, 10**6), epsilon=1, mechanism="piecewise_laplace"),
        "sum": lambda: by.sum("pay", bounds=(0, 10**6), epsilon=1),
        "mean": lambda: by.mean(
            "pay", bounds=(0, 10**6), epsilon=1, granularity=1, mechanism="piecewise_laplace"
        ),
        "variance": lambda: by.variance("pay", bounds=(0, 10**6), epsilon=1, granularity=10**6),
        "flips": lambda: by.median(
            "pay", bounds=(0, 10**6), epsilon=1, granularity=10**4, mechanism="permute_and_flip"
        ),
        "histogram": lambda: by.histogram("pay", [0, 10**5, 10**6], epsilon=1),
    }
    cases = []
    for name, ask in asked.items():
        with ours.seeded(SEED):
            cases.append({"asked": name, "drawn": ask().value})
    return {"cases": cases}


def balance() -> Case:
    """Draws of balance: one law and many, whole questions, groups, and what only balls or further levels decide."""
    cases: list[Case] = []
    laws: list[tuple[Any, Any, Case]] = [
        (nws.Quantile("1/2"), INCOMES, {"bounds": (0, 1000)}),
        (nws.Quantile("1/4"), INCOMES, {"bounds": (0, 1000), "epsilon": Fraction(1, 3)}),
        (nws.Quantile("9/10"), INCOMES, {"bounds": (0, 2**50), "epsilon": 8}),
        (nws.Quantile(0), INCOMES, {"bounds": (0, 1000), "neighbors": "swap"}),
        (nws.Quantile("1/2"), INCOMES, {"bounds": (0, 1000), "levels": 3}),
        (nws.Mean(), INCOMES, {"bounds": (0, 1000), "contributions": 2}),
        (nws.Mean(), INCOMES, {"bounds": (-5.5, 1000), "granularity": Fraction(1, 10**12), "epsilon": 8}),
        (nws.Proportion(), [k % 2 for k in INCOMES], {"granularity": Fraction(1, 1000)}),
        (nws.F1(), ([k % 2 for k in INCOMES], [k % 3 == 0 for k in INCOMES]), {"epsilon": 2}),
    ]
    for statistic, data, how in laws:
        law = nws.hazmat.law(statistic, data, mechanism="balance", **{"epsilon": 1, **how})
        asked = {key: str(value) for key, value in how.items()}
        drawn = law.draw(SIZE, bits=SEEDED(SEED)).tolist()
        cases.append({"statistic": str(statistic), "asked": asked, "drawn": drawn})
    wide = FRAME.with_columns(team=np.arange(FRAME.height) % 37, pay=np.array(INCOMES) ** 2)
    by = nws.Dataset(wide).group_by("team", keys=list(range(40)))
    for name in ("median", "mean"):
        with ours.seeded(SEED):
            release = getattr(by, name)(
                "pay", bounds=(0, 10**6), epsilon=1, granularity=1, mechanism="balance"
            )
        cases.append({"groups": name, "drawn": release.value})
    return {"cases": cases}


def gaussian() -> Case:
    """Draws of one variance, on narrow and wide blocks, and one from each of many laws with ends."""
    cases = []
    for seed, variance in enumerate(("1/5", "4", "3001/2", "20000", "123456789", "1e24", "1e34")):
        law = ours.gaussian_law([7], Fraction(variance), (None, None))
        drawn = law.draw(SIZE, bits=SEEDED(seed)).astype(np.int64).tolist()
        each = ours.gaussian_law(list(range(0, 600, 50)), Fraction(variance), (0, 500))
        batch = each.draw_each(bits=SEEDED(seed)).tolist()
        cases.append({"seed": seed, "variance": variance, "drawn": drawn, "each": batch})
    return {"cases": cases}


DRAWS: dict[str, Callable[[], Case]] = {
    "balance": balance,
    "scalars": scalars,
    "batches": batches,
    "whole-costs": whole_costs,
    "vectors": vectors,
    "replays": replays,
    "groups": groups,
    "gaussian": gaussian,
}


# Receipts


class Book:
    """In the place of a ledger: writes down what it is asked to pay."""

    def __init__(self) -> None:
        self.debits: list[Case] = []

    def debit(self, loss: Any, *, neighbors: str, contributions: int, memo: str, unit: Any = None) -> str:
        said = {"neighbors": neighbors, "contributions": contributions, "memo": memo, "unit": unit}
        self.debits.append({"loss": repr(loss), "rho": _rho(loss), **said})
        return f"entry {len(self.debits)}"


def _rho(loss: Any) -> str | None:
    try:
        return str(loss.as_zcdp().rho)
    except nws.ParameterError:
        return None


def scrubbed(part: Any) -> Any:
    """Without what changes from day to day: the time, and the version of noisewise."""
    if isinstance(part, dict):
        return {
            key: key.upper() if key in ("time", "when", "version") else scrubbed(value)
            for key, value in part.items()
        }
    return [scrubbed(each) for each in part] if isinstance(part, (list, tuple)) else part


CARDS = (
    *("median", "median-swap", "median-people", "median-private-bounds", "quantiles", "count", "mean-swap"),
    *("histogram", "vector_mean-l1-piecewise", "triangles", "degree_quantile", "table-median", "table-dates"),
    *("groups-mean-people", "groups-agg", "groups-found", "keys-found"),
)
"""Questions whose cards are kept: one of each kind of loss, unit and answer."""
COMPUTED = ("covariance", "linear_regression")
"""Their numbers are computed from those drawn, by a library whose last digits differ from machine to machine."""


def receipt(name: str) -> Case:
    """One question and all that is told with its answer; two more seeds of the value."""
    book = Book()
    with ours.seeded(SEED):
        released = QUESTIONS[name](book)
    told, values = scrubbed(released.to_dict()), []
    text = repr(released).replace(f"noisewise {nws.__version__}", "noisewise VERSION").splitlines()
    for seed in (1, 2):
        with ours.seeded(seed):
            values.append(scrubbed(QUESTIONS[name](Book()).to_dict()["value"]))
    if name in COMPUTED:
        told["value"], values, text = rounded(told["value"]), rounded(values), text[1:]
    found = {"to_dict": told, "str": text, "debits": book.debits, "others": values}
    if name not in CARDS:
        return found
    card = scrubbed(released.card()).items()
    return found | {"card": {key: "=" if key in told and told[key] == each else each for key, each in card}}


def rounded(part: Any) -> Any:
    """Seven digits of every number."""
    return [rounded(each) for each in part] if isinstance(part, list) else float(f"{part:.6e}")


# Ledgers

KINDS = {"pure": nws.PureDP(9), "zcdp": nws.ZCDP(3), "approx": nws.ApproxDP(9, 1e-3)}
BUDGETS = {
    f"{kind}{suffix}": (budget, version)
    for version, suffix in ((1, ""), (2, "-format-2"))
    for kind, budget in KINDS.items()
}
"""The budget and the format of each ledger."""
LEDGER_QUESTIONS = ("median", "count", "quantiles", "histogram")


def ledger(kind: str) -> Case:
    """The bytes that a ledger writes, but for times and what hangs on them, and the receipts that it gives."""
    budget, version = BUDGETS[kind]
    with TemporaryDirectory() as place:
        path = Path(place) / "staff.ledger"
        with ours.seeded(SEED), ours.format_of_ledgers(version):
            book = nws.Ledger.open(path, budget, name="staff")
            receipts = [QUESTIONS[name](book).receipt.to_dict() for name in LEDGER_QUESTIONS]
            if version > 1:
                receipts += [each.to_dict() for each in _debits(book)]
        report = repr(book.spent)
        assert book.verify(*receipts) == len(receipts)
        raw = sqlite3.connect(path)
        bodies = [body for (body,) in raw.execute("SELECT body FROM rows ORDER BY number")]
        raw.close()
        if close := getattr(book, "close", None):
            close()
    written = []
    for body in bodies:
        entry = json.loads(body)
        assert body == json.dumps(entry, sort_keys=True, separators=(",", ":")), "entries are canonical"
        written.append({key: _steady(key, value) for key, value in entry.items()})
    return {
        "spent": report,
        "written": written,
        "receipts": [{key: _steady(key, value) for key, value in each.items()} for each in receipts],
    }


def _debits(book: Any) -> list[Any]:
    """Entries with a limit on the records of a person in one group, and in rho where the budget takes it."""
    about = {"neighbors": "add_remove", "contributions": 1}
    losses = [nws.PureDP(1)] if isinstance(book.budget, nws.PureDP) else [nws.PureDP(1), nws.ZCDP(0.125)]
    return [
        book.debit(loss, memo="count by x/1", per_group=each, **about) for each, loss in enumerate(losses, 1)
    ]


def _steady(key: str, value: Any) -> Any:
    return key.upper() if key in ("time", "ledger", "previous", "hash", "place") else value
