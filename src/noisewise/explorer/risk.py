"""The meaning of an epsilon for one person: the most that others can learn, whatever they know already.

With a release of epsilon, no answer is more than e^epsilon times as likely with a person's data as without. If somebody
believes with probability p that a person takes part, the answer raises this probability to at most

    p*e^epsilon / (1 - p + p*e^epsilon),

A guess between two equally likely worlds is right with probability at most e^epsilon / (1 + e^epsilon).

A release of rho is (epsilon, delta)-DP: a set of values with probability q without the person's data has at most
e^epsilon * q + delta with it, and the guess is right with probability at most (e^epsilon + delta) / (1 + e^epsilon).
"""

import math
from fractions import Fraction

from noisewise.kernel.numbers.exact import spell
from noisewise.kernel.prices import Price, Rho
from noisewise.ledger.amounts import above

PRIORS = (0.01, 0.1, 0.5)


def believed(prior: float, epsilon: Fraction) -> float:
    """Return the highest probability that a belief of probability ``prior`` can reach after a release of epsilon."""
    odds = math.exp(-float(epsilon))
    return prior / (prior + (1 - prior) * odds)


def sentences(price: Price, neighbors: str, contributions: int, delta: Fraction) -> list[str]:
    """Return the risk of one answer for one person, as sentences. A rho is told by its epsilon at this delta."""
    if isinstance(price, Rho):
        epsilon, extra = price.loss.as_approx(delta).epsilon, delta
    else:
        epsilon, extra = price, Fraction(0)
    whose = "all your records" if contributions > 1 else "your record"
    if neighbors == "swap":
        doubt, what = "which of two records is yours", f"another value in place of {whose}"
    else:
        doubt, what = "whether you take part", f"{whose} left out"
    if contributions > 1:
        what += f", up to {contributions:,} of them"
    factor = math.exp(float(epsilon))
    times = f"{factor:,.3g}" if factor < 1e6 else f"{factor:.1e}"
    right = 100 * min(1.0, believed(0.5, epsilon) + float(extra) / (1 + factor))
    symbol = "ρ" if extra else "ε"
    first = f"No released value is more than {times} times as likely with your data as with {what}."
    if extra:
        first = (
            f"This ρ is worth ε = {above(epsilon)} at δ = {spell(delta)}: no set of values is released with a "
            f"probability more than {times} times that with {what}, plus δ."
        )
    return [
        first,
        f"Somebody who would have to toss a coin on {doubt} is right at most {_share(right)}% of the time after "
        f"reading the answer, whatever else they know.",
        _verdict(epsilon),
        f"Answers add up: what ten of them tell about you is bounded by ten times this {symbol}.",
    ]


def table(epsilon: Fraction) -> list[tuple[str, str]]:
    """Return pairs of percentages: a belief before the answer, and the highest belief after it."""
    return [(f"{_share(100 * prior)}%", f"{_share(100 * believed(prior, epsilon))}%") for prior in PRIORS]


def _verdict(epsilon: Fraction) -> str:
    if epsilon <= Fraction(1, 10):
        return "That is hardly more than guessing: a strong protection of everybody."
    if epsilon <= 1:
        return "That is a common choice where data is sensitive: a guess gets somewhat better, never certain."
    if epsilon <= 4:
        return "That is a moderate protection: a guess about one person can become a good one."
    return "That is a weak protection in the worst case: a guess about one person can become nearly certain."


def _share(percent: float) -> str:
    """Return a percentage as text. It is rounded up, as it is an upper bound."""
    return f"{min(100.0, math.ceil(percent * 10 - 1e-9) / 10):.1f}".removesuffix(".0")
