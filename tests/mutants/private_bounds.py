"""Breaks of the search for bounds, and of releases that begin with one."""

from tests.mutants.mutant import Mutant

SEARCH, BOUNDS = "tests/questions/test_search.py", "tests/releases/test_private_bounds.py"

MUTANTS = [
    Mutant(
        "a swapped record is counted as one change, though it leaves one bucket and joins another",
        "questions/search.py",
        'return 2 if self.neighbors == "swap" else self.contributions',
        "return self.contributions",
        SEARCH,
    ),
    Mutant(
        "noise of one record for a person who fills several buckets",
        "questions/search.py",
        'return 2 if self.neighbors == "swap" else self.contributions',
        'return 2 if self.neighbors == "swap" else 1',
        SEARCH,
    ),
    Mutant(
        "a swap pays in zcdp for one of its two buckets",
        "questions/search.py",
        "rho=2 * discrete_laplace_rho",
        "rho=discrete_laplace_rho",
        SEARCH,
    ),
    Mutant(
        "empty buckets stay empty, so that a crowd of noise tells of a record",
        "questions/search.py",
        "return self.read(self.law(data).draw_each(bits=bits).tolist())",
        "return self.read((self.law(data).draw_each(bits=bits) * (self.magnitudes.count(data) > 0)).tolist())",
        SEARCH,
    ),
    Mutant(
        "missing records are counted in a bucket",
        "columns/arrays.py",
        "inside = values[(values >= low) & (values <= high)]",
        "inside = np.nan_to_num(values)[(values < low) | ~(values > high)]",
        "tests/columns/test_magnitudes.py",
    ),
    Mutant(
        "a power belongs to the bucket beyond it",
        "columns/magnitudes.py",
        "(size > own[exponent])",
        "(size >= own[exponent])",
        "tests/columns/test_magnitudes.py",
    ),
    Mutant(
        "only the answer is paid, not the bounds",
        "questions/request.py",
        "PureDP(search.epsilon + rest.epsilon, rho=",
        "PureDP(rest.epsilon, rho=",
        BOUNDS,
    ),
    Mutant(
        "the answer takes the whole epsilon and the bounds come on top",
        "questions/search.py",
        "return part * epsilon, epsilon - part * epsilon",
        "return part * epsilon, epsilon",
        BOUNDS,
    ),
    Mutant(
        "what the question cannot be asked with is noticed after the debit",
        "questions/request.py",
        "magnitudes = fitting(can_be_asked)",
        "magnitudes = fitting(lambda bounds: True)",
        BOUNDS,
    ),
]
