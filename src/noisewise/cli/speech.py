"""What the library says, in the words of a command line: parameters become options, and values what was typed.

A message is changed by what it says alone, so it still speaks of public things only. What stands in quotes, the name of
a column or what was typed, is left as it is.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from noisewise.cli.options import COMMON
from noisewise.cli.questions import OPTIONS
from noisewise.errors import NoisewiseError

Called = dict[str, str]
"""What a parameter of the library is called here; and for a column in quotes, the option that names it."""

COLUMNS = ("column", "edges", "X", "x", "y", "y_true", "y_pred", "y_score")
CALLED: Called = {
    name: f"--{name.replace('_', '-')}"
    for name in (*OPTIONS, *COMMON, *COLUMNS, "delta", "rho", "key_epsilon", "key_delta", "receipt")
} | {"group_by": "--by", "source": "FILE", "path": "the place of a ledger"}

SENTENCES = {
    r"must be a pair \(lowest, highest\)": "must be two numbers, the lowest and the highest,",
    r"find them first by private_bounds, and give its value": "noisewise private-bounds finds them",
    r"must be one pair, or two: \(\(.*\)\), got (\d+) of them": (
        r"must be said once for both columns, or once for each, got \1 pairs"
    ),
    r"as date\(2000, 1, 1\)": "as 2000-01-31",
    r"as datetime\(2000, 1, 1\)": "as 2000-01-31T12:00",
    r"as datetime\(2000, 1, 1, tzinfo=UTC\)": "as 2000-01-31T12:00+00:00",
    r"as time\(9, 30\)": "as 09:30",
    r"as timedelta\(hours=1\)": "as 12h",
    r"must be a timedelta": "must be a duration such as 7d or 12h",
    r"\btimedelta": "duration",
    r"; dates and times are asked through a Dataset$": "",
    r"; release through Dataset\(\.\.\., unit=(.+)\)$": r"; say --unit \1",
    r"; open another ledger with that unit$": "; leave --unit out, or create another ledger with it",
    r"^loss must have delta 0, got .*?: (.+) has a budget without delta; .*": (
        r"--keys must be said, as \1 has no delta to find groups with; or pay from a ledger that was created with "
        "--epsilon 1 --delta 1e-6"
    ),
    r"^loss must fit": "the cost must fit",
    r"^the (lower|upper) bound must": r"the \1 end of --bounds must",
    r"must be None, as in": "must be left out, as in",
    r"must be None with": "must be left out with",
    r"such as \[0.25, 0.5\]": "such as 0.25,0.5",
    r"^source must be a file of format '(\w+)', got (.+)": (
        r"FILE must be in the format \1, got \2, which is not; --format says what it is"
    ),
    r"^the files of a scan must": "the files of a pattern must",
    r"^columns must have different names, capitals aside$": (
        "the columns of FILE must have different names, capitals aside; rename one"
    ),
    r"^data must be numbers, got column (.+) of type String$": (
        r"data must be numbers, got column \1 of text; for text there are most-common, histogram, and count "
        "without --column"
    ),
    r"\bgot None\b": "got none",
    r"Decimal\('([^']*)'\)": r"\1",
}
VALUES = {
    r"Fraction\((-?\d+), (\d+)\)": r"\1/\2",
    r"got \(([-\d][^(),]*), ([-\d][^(),]*)\)": r"got \1 \2",
    r"\(([-\d][^(),]*), ([-\d][^(),]*)\)": r"\1 .. \2",
}
QUOTED = r"((?<!\w)'[^']*'(?!\w))"


def spoken(message: str, called: Called = CALLED) -> str:
    """A message of the library, as a command says it. One that is said so already stays as it is."""
    for said, here in SENTENCES.items():
        message = re.sub(said, here, message)
    places = re.split(QUOTED, message)
    places[::2] = [_outside(text, called) for text in places[::2]]
    first = next((called[quoted] for quoted in places[1::2] if quoted in called), called.get("data", "data"))
    told = called | {"data": first}
    return re.sub(r"^(\w+)(?= must )", lambda found: told.get(found[1], found[1]), "".join(places))


@contextmanager
def speaking(called: Called) -> Iterator[None]:
    """What is refused inside is told with these names."""
    try:
        yield
    except NoisewiseError as error:
        error.args = (spoken(str(error), CALLED | called), *error.args[1:])
        raise


def _outside(text: str, called: Called) -> str:
    """Values, keywords and names of two words, wherever they stand: ``neighbors="swap"`` is ``--neighbors swap``."""
    for said, here in VALUES.items():
        text = re.sub(said, here, text)
    keywords = re.sub(
        r'\b([a-z]+(?:_[a-z]+)*)="(\w+)"', lambda found: f"{called.get(found[1], found[1])} {found[2]}", text
    )
    plain = re.sub(r'(?<!\{)"(\w+)"', r"\1", keywords)
    return re.sub(
        r"(?<![\w-])[a-z]+(?:_[a-z]+)+(?![\w=(])", lambda found: called.get(found[0], found[0]), plain
    )
