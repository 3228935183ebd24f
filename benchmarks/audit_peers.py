"""Audit other libraries and a few classics as black boxes, and compare verdicts with Google's DP-Auditorium.

    python benchmarks/audit_peers.py [--draws 100000]

Every mechanism claims epsilon = 1 for a sum of records from 0 to 1, asked of nobody and of one person. Libraries that
are not installed are left out; so are the testers of DP-Auditorium, which is on no package index: install it from
python/dp_auditorium of https://github.com/google/differential-privacy.
"""

import argparse
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise import audit
from noisewise.planning.plan_table import aligned

EPSILON, PAIR = 1.0, ([], [1.0])
FAILURE = 1e-6
BINS, LOW, HIGH = 40, -10, 11
Sampler = Callable[[list[Any], int], Any]


def numpy_laplace(data: list[Any], n: int) -> Any:
    return sum(data) + np.random.default_rng().laplace(scale=1 / EPSILON, size=n)


def half_the_noise(data: list[Any], n: int) -> Any:
    return int(sum(data)) + _two_sided(2 * EPSILON, n)


def exact_geometric(data: list[Any], n: int) -> Any:
    return int(sum(data)) + _two_sided(EPSILON, n)


def _two_sided(rate: float, n: int) -> Any:
    dice, stop = np.random.default_rng(), 1 - math.exp(-rate)
    return dice.geometric(stop, n) - dice.geometric(stop, n)


def diffprivlib_laplace() -> Sampler:
    from diffprivlib.mechanisms import Laplace

    mechanism = Laplace(epsilon=EPSILON, sensitivity=1)
    return lambda data, n: [mechanism.randomise(float(sum(data))) for _ in range(n)]


def diffprivlib_snapping() -> Sampler:
    from diffprivlib.mechanisms import Snapping

    mechanism = Snapping(epsilon=EPSILON, sensitivity=1, lower=0, upper=10)
    return lambda data, n: [mechanism.randomise(float(sum(data))) for _ in range(n)]


def opendp_laplace() -> Sampler:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    noise = dp.m.make_laplace(
        dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=1 / EPSILON
    )
    return lambda data, n: [noise(float(sum(data))) for _ in range(n)]


def ours(name: str) -> Sampler:
    return audit.sampler(name, bounds=(0, 1), epsilon=EPSILON, granularity=Fraction(1, 4))


def mechanisms() -> dict[str, Sampler]:
    """Those that can be imported, by their names."""
    found: dict[str, Sampler] = {
        "noisewise sum": ours("sum"),
        "noisewise median": ours("median"),
        "two-sided geometric noise": exact_geometric,
        "two-sided geometric noise of twice the rate": half_the_noise,
        "NumPy laplace": numpy_laplace,
    }
    for name, make in {
        "diffprivlib Laplace": diffprivlib_laplace,
        "diffprivlib Snapping": diffprivlib_snapping,
        "OpenDP Laplace": opendp_laplace,
    }.items():
        try:
            found[name] = make()
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
    return found


def testers() -> dict[str, Any]:
    """Those of DP-Auditorium that need no training, where it is installed."""
    try:
        from dp_auditorium.configs import privacy_property, property_tester_config
        from dp_auditorium.testers import histogram_tester, mmd_tester
    except ImportError as missing:
        print(f"DP-Auditorium is left out: {missing}")
        return {}
    claim = privacy_property.ApproximateDp(epsilon=EPSILON, delta=0.0)
    bins = property_tester_config.HistogramPropertyTesterConfig(
        test_discrete_mechanism=False,
        histogram_size=BINS,
        min_value=LOW,
        max_value=HIGH,
        approximate_dp=claim,
    )
    kernel = property_tester_config.Kernel.KERNEL_RBF
    mmd = property_tester_config.MMDPropertyTesterConfig(kernel=kernel, bandwidth=0.1, approximate_dp=claim)
    return {"histogram": histogram_tester.HistogramTester(bins), "MMD": mmd_tester.MMDPropertyTester(mmd)}


def rejected(tester: Any, sample: Sampler, draws: int) -> str:
    """The verdict of a tester of DP-Auditorium on both directions of the pair."""
    near, far = (np.asarray(sample(data, draws), np.float64) for data in PAIR)
    bounds = [tester.estimate_lower_bound(*both, FAILURE / 2) for both in ((near, far), (far, near))]
    return "VIOLATION" if any(map(tester.reject_property, bounds)) else "passed"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--draws", type=int, default=100_000, help="from each of the two datasets")
    draws = parser.parse_args().draws
    rows = []
    theirs = testers()
    for name, sample in mechanisms().items():
        found = audit.black_box(sample, epsilon=1, pairs=[PAIR], draws=draws)
        rows.append(
            {
                "mechanism": name,
                "noisewise": found.verdict,
                "at least": found.epsilon,
                "event": found.event,
                **{
                    f"DP-Auditorium {each}": rejected(tester, sample, draws)
                    for each, tester in theirs.items()
                },
            }
        )
    print(aligned(rows))


if __name__ == "__main__":
    main()
