"""What many releases cost together at one delta: noisewise's composition next to the accountants of dp-accounting.

    python benchmarks/composition.py [--quick]

The sums are what a ledger counts, whatever the answers decide. The accountant of Rényi divergences (RDP) is asked about
the same losses, and so are, for plans that are fixed in advance, noisewise's own bounds and the accountant of privacy
loss distributions (PLD). Gaussian noise is there a GaussianDpEvent, the continuous noise of the same rho. A bounded
range has no event of its own: its rho goes to RDP, and its epsilon, as if it were pure, to PLD.
"""

import math
from fractions import Fraction
from typing import Any

from measure import progress
from reporting import Report, Table, number, run_alone

import noisewise as nws
from noisewise.bridges.dp_accounting import to_event

DELTA = Fraction(1, 10**6)
RHOS, EPSILONS, COUNTS = (0.001, 0.01, 0.1), (0.1, 0.5, 1), (1, 10, 100, 1000)
TITLE = "Composition: the epsilon of many releases at delta 10^-6"
HEADER = ("releases", "noisewise, sums", "RDP", "sums over RDP", "noisewise, plan fixed", "PLD, plan fixed")


def report(quick: bool = False) -> Report:
    counts = COUNTS[:2] if quick else COUNTS
    records = [
        *(_gaussian(rho, count) for rho in RHOS for count in counts),
        *(_ranged(epsilon, count) for epsilon in EPSILONS for count in counts),
    ]
    return Report("composition", [_table(records)], [], records)


def _gaussian(rho: float, count: int) -> dict[str, Any]:
    import dp_accounting as dpa

    event = dpa.GaussianDpEvent(1 / math.sqrt(2 * rho))
    return _measured(f"{count:,} Gaussian, rho {rho}", [nws.ZCDP(rho)] * count, event, event, count)


def _ranged(epsilon: float, count: int) -> dict[str, Any]:
    loss = nws.BoundedRange(epsilon)
    events = (to_event(loss, as_="zcdp"), to_event(loss, as_="pure"))
    return _measured(f"{count:,} of bounded range {epsilon}", [loss] * count, *events, count)


def _measured(what: str, losses: list[Any], rdp: Any, pld: Any, count: int) -> dict[str, Any]:
    """The epsilon of the losses by each way of counting."""
    import dp_accounting as dpa

    progress(what)
    delta = float(DELTA)
    return {
        "what": what,
        "sums": float(nws.compose(losses).as_approx(DELTA).epsilon),
        "rdp": float(dpa.rdp.RdpAccountant().compose(rdp, count).get_epsilon(delta)),
        "plan": float(nws.epsilon_at(losses, DELTA, fixed="releases")),
        "pld": float(dpa.pld.PLDAccountant().compose(pld, count).get_epsilon(delta)),
    }


def _table(records: list[dict[str, Any]]) -> Table:
    rows = [
        (
            each["what"],
            number(each["sums"]),
            number(each["rdp"]),
            number(each["sums"] / each["rdp"]),
            number(each["plan"]),
            number(each["pld"]),
        )
        for each in records
    ]
    return Table(TITLE, HEADER, rows)


if __name__ == "__main__":
    run_alone(report, __doc__)
