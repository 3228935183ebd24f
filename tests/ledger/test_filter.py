"""The filter, enumerated: every transcript of an interaction that it stops, and the exact total loss of them all.

Two datasets differ in one bit. An analyst asks questions, each chosen by the last answer, until the filter refuses.
Next to the filter stand shortcuts that are not sound, to show that these interactions would notice.
"""

import math
from fractions import Fraction

from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP
from noisewise.ledger.amounts import NOTHING, Amount
from noisewise.ledger.budget import Terms
from noisewise.ledger.curves import epsilon_at

ORDERS = [1.001, 1.1, 1.5, 2, 3, 5, 10, 40]
ROUNDED = Fraction(1, 10**15)


def respond(odds):
    """Randomised response: the bit with these odds. Its log ratio is at most the loss, rounded up."""
    epsilon = Fraction(math.log(odds)).limit_denominator(10**12) + ROUNDED
    right, wrong = odds / (1 + odds), 1 / (1 + odds)
    return PureDP(epsilon), {0: (right, wrong), 1: (wrong, right)}


def leak(chance, odds):
    """With this chance the bit itself, else randomised response."""
    loss, answers = respond(odds)
    law = {answer: (p * (1 - chance), q * (1 - chance)) for answer, (p, q) in answers.items()}
    law |= {"is 0": (chance, Fraction(0)), "is 1": (Fraction(0), chance)}
    return ApproxDP(loss.epsilon, chance), law


def transcripts(menu, allow, *, depth):
    """Every transcript's probability under both datasets.

    The analyst asks for the first question on the menu of the moment that the filter allows; the menu depends on the
    last answer.
    """
    found = []

    def go(last, spent, p, q, left):
        for loss, law in menu(last, depth - left):
            if left and allow(spent, loss):
                for answer, (one, other) in law.items():
                    go(answer, spent + Amount.of(loss), p * one, q * other, left - 1)
                return
        found.append((p, q))

    go(None, NOTHING, Fraction(1), Fraction(1), depth)
    assert sum(p for p, _ in found) == sum(q for _, q in found) == 1
    return found


def log_ratio(found):
    return max(abs(math.log(p / q)) for p, q in found)


def renyi(found, order):
    """The larger of the Rényi divergences in both directions."""
    one, other = zip(*((float(p), float(q)) for p, q in found), strict=True)
    sums = [
        sum(p**order * q ** (1 - order) for p, q in zip(*pair, strict=True))
        for pair in ((one, other), (other, one))
    ]
    return math.log(max(sums)) / (order - 1)


def beyond(found, epsilon):
    """The smallest delta at this epsilon."""
    scale = Fraction(math.exp(epsilon))
    both = [found, [(q, p) for p, q in found]]
    return max(sum(max(Fraction(0), p - scale * q) for p, q in pairs) for pairs in both)


def by_last_answer(last, asked):
    """Ask sharply after a 1, gently otherwise; whatever is refused, try a gentler one."""
    sharp, gentle, faint = respond(Fraction(2)), respond(Fraction(3, 2)), respond(Fraction(11, 10))
    return [sharp, gentle, faint] if last == 1 else [gentle, faint]


def filtered(terms):
    return lambda spent, loss: terms.allow(spent + Amount.of(loss))


def only_the_new(terms):
    return lambda spent, loss: terms.allow(Amount.of(loss))


def test_an_adaptive_interaction_stays_within_a_pure_budget():
    terms = Terms.of(PureDP(1.5))
    found = transcripts(by_last_answer, filtered(terms), depth=9)
    assert 1.4 < log_ratio(found) <= 1.5
    assert log_ratio(transcripts(by_last_answer, only_the_new(terms), depth=9)) > 1.5


def test_an_adaptive_interaction_stays_within_a_zcdp_budget():
    terms = Terms.of(ZCDP(0.4))
    found = transcripts(by_last_answer, filtered(terms), depth=10)
    losses = [renyi(found, order) / order for order in ORDERS]
    assert 0.3 < max(losses) <= 0.4
    wrong = transcripts(by_last_answer, only_the_new(terms), depth=10)
    assert max(renyi(wrong, order) / order for order in ORDERS) > 0.4


def leak_first(last, asked):
    """Take whatever delta there is, then ask on by the last answer."""
    chances = [Fraction(2, 10), Fraction(1, 10), Fraction(2, 100)]
    questions = [
        respond(odds) for odds in ((Fraction(5, 4), Fraction(11, 10)) if last == 1 else (Fraction(11, 10),))
    ]
    return ([leak(chance, Fraction(1001, 1000)) for chance in chances] if asked < 2 else []) + questions


def test_an_adaptive_interaction_stays_within_an_approximate_budget():
    terms = Terms.of(ApproxDP(0.5, 0.2))
    found = transcripts(leak_first, filtered(terms), depth=11)
    assert Fraction(1, 10) < beyond(found, 0.5) <= Fraction(2, 10)
    assert beyond(transcripts(leak_first, only_the_new(terms), depth=11), 0.5) > Fraction(2, 10)


def test_delta_for_the_conversion_cannot_be_spent_twice():
    """A filter that forgets to keep it back lets more than delta through, on the same interaction."""
    terms = Terms.of(ApproxDP(0.5, 0.2))

    def forgetful(spent, loss):
        after = spent + Amount.of(loss)
        return after.delta <= terms.budget.delta and (
            after.epsilon <= terms.budget.epsilon or after.rho <= terms.limit
        )

    found = transcripts(leak_first, forgetful, depth=11)
    assert beyond(found, 0.5) > Fraction(2, 10)


def test_the_two_routes_may_be_mixed_between_transcripts():
    """Some transcripts end within epsilon alone, others within the limit on rho alone."""
    terms = Terms.of(ApproxDP(0.75, 0.05), conversion_delta=0.05)
    ends = set()

    def menu(last, asked):
        if not asked:
            return [respond(Fraction(101, 100))]
        return [respond(Fraction(2))] if last == 1 and asked == 1 else [respond(Fraction(5, 4))]

    def allow(spent, loss):
        after = spent + Amount.of(loss)
        ends.add((after.epsilon <= terms.budget.epsilon, after.rho <= terms.limit))
        return terms.allow(after)

    found = transcripts(menu, allow, depth=8)
    assert ends == {(True, True), (True, False), (False, True), (False, False)}
    assert 0 < beyond(found, 0.75) <= Fraction(5, 100)


# A filter is no odometer


def overrun(delta, looks):
    """The exact delta of who asks a coin of log ratio 0.1 again until the log ratio is above what was spent so far."""
    right = 1 / (1 + math.exp(-0.1))
    walks, found = {0: 1.0}, 0.0
    for asked in range(1, looks[-1] + 1):
        moved = {}
        for ahead, chance in walks.items():
            moved[ahead + 1] = moved.get(ahead + 1, 0.0) + chance * right
            moved[ahead - 1] = moved.get(ahead - 1, 0.0) + chance * (1 - right)
        walks = moved
        if asked in looks:
            spent = float(epsilon_at([PureDP(0.1)] * asked, delta))
            for ahead in [ahead for ahead in walks if ahead * 0.1 > spent]:
                found += walks.pop(ahead) * -math.expm1(spent - ahead * 0.1)
    return found


def test_a_sum_that_is_read_off_when_the_answers_say_so_is_no_promise():
    """Which is why a ledger has a budget, and why the documentation of sums asks for a limit fixed before."""
    assert overrun(0.01, [200]) < 0.01
    assert overrun(0.01, [*range(25, 1001, 25)]) > 0.012
