"""The help of the library's functions, as that of commands: the same words without the Python."""

import re

PLAIN = {
    r"``": "",
    r"`(\w+)`": r"\1",
    r'"(\w+)"': r"\1",
    r"\*\*": "^",
    r" ?The value is a tuple(?: of counts)?\. ?": " ",
    r": value is a tuple in the order asked": "",
    r": value is a tuple of rows, symmetric, and a matrix of\s+covariances: ": ": symmetric, and ",
    r": value is a coefficient": ": a coefficient",
    r"value is the pair \(low, high\)\. ": "",
    r"The value is then v, a tuple\.": "The answer is then v.",
    r"the value is the matrix (\S+), a tuple of rows,": r"the answer is the matrix \1,",
    r"the value is \(slope, intercept\)": "the answer is both",
    r"as pairs \(value, share\), the values rising": "as pairs of a value and a share, the values rising",
    r"\bor None if\b": "or no answer if",
    r"^A private number of records that are not missing, in a column of numbers\.": (
        "A private number of records: of all rows, or of those that hold a number in a column."
    ),
    r"typed as ints\b": "typed as whole numbers",
    r": (?:a number|numbers), or text such as \"1/3\"": ", such as 0.5 or 1/3",
    r"between the bounds \((\d+), (\d+)\)": r"with --bounds \1 \2",
    r"such as \((\d+), (\d+)\)": r"such as \1 \2",
    r"such as \(1, 1, 1\)": "such as 1,1,1",
    r"^False for mean products": "--no-centred asks for mean products",
    r"\bmax_degree\b": "--max-degree",
    r"unless parts are\s+given": "unless --parts are said",
}


def plain(text: str) -> str:
    """Help without marks of code, and without types of Python."""
    for said, here in PLAIN.items():
        text = re.sub(said, here, text)
    return text.strip()
