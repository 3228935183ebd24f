"""Breaks of the continuous law in many dimensions: the room of a shell, the direction of a draw."""

from tests.mutants.mutant import Mutant

MUTANTS = [
    Mutant(
        "a shell has the same room at every radius, as in one dimension",
        "paper/radial.py",
        "room = (self.d - 1) * np.log",
        "room = 0 * np.log",
        "tests/paper/test_radial.py::test_masses_and_normalisation_are_the_certified_ones",
    ),
    Mutant(
        "Gaussian directions for every norm",
        "paper/radial.py",
        "rng.standard_gamma(1 + 1 / p, (size, d)) ** (1 / p)",
        "rng.standard_gamma(1.5, (size, d)) ** 0.5",
        "tests/paper/test_radial.py::test_draws_are_those_of_brute_rejection_and_of_no_law_nearby",
    ),
]
