"""Breaks of permute-and-flip: its rate, its price, its coins, and the most common category."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "the whole epsilon for a cost that moves both ways",
        "mechanisms/permute_and_flip.py",
        "return PermuteAndFlipLaw(envelope, self.epsilon / 2,",
        "return PermuteAndFlipLaw(envelope, self.epsilon,",
        "tests/mechanisms/test_permute_and_flip.py",
    ),
    Mutant(
        "permute-and-flip at the zCDP price of a bounded range",
        "mechanisms/permute_and_flip.py",
        "return PureDP(self.epsilon)",
        "return PureDP(self.epsilon, rho=self.epsilon**2 / 8)",
        "tests/mechanisms/test_permute_and_flip.py",
    ),
    Mutant(
        "more answers than coins, found out after the debit",
        "mechanisms/choice.py",
        "chosen.judge(answers)",
        "pass",
        "tests/mechanisms",
    ),
    Mutant(
        "floats decide a coin near its chance",
        "sampling/coins.py",
        "undecided = ~accepted & (words <= self.open[groups])",
        "undecided = np.zeros_like(accepted)",
        "tests/sampling/test_coins.py",
    ),
    Mutant(
        "the first accepted point instead of any",
        "sampling/coins.py",
        "[before + uniform(counts, bits)]",
        "[before]",
        "tests/sampling/test_coins.py",
    ),
    Mutant(
        "points of the lower side answered with those of the upper",
        "laws/permute_and_flip.py",
        "lowest - (picked - rise)",
        "lowest + (picked - rise)",
        "tests/laws/test_permute_and_flip.py",
    ),
    Mutant(
        "the whole epsilon for counts that move in opposite directions",
        "releases/most_common.py",
        'moves = 2 if self.neighbors == "swap" else self.contributions',
        "moves = self.contributions",
        "tests/releases/test_most_common.py",
    ),
    Mutant(
        "the rate of one record for a person who owns several categories",
        "releases/most_common.py",
        'moves = 2 if self.neighbors == "swap" else self.contributions',
        'moves = 2 if self.neighbors == "swap" else 1',
        "tests/releases/test_most_common.py",
    ),
    Mutant(
        "labels told apart beyond float64, which one null would undo",
        "columns/labels.py",
        "else float(name)",
        "else name",
        "tests/columns/test_labels.py",
    ),
]
