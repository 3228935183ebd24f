"""The keys of a study file. Each has a meaning, and a rule for its value in words and as JSON Schema."""

import re

from noisewise.dataset.document import Rule, is_name
from noisewise.tables.files.scan import format_of

WORDS = re.compile(r"[A-Za-z0-9]+(\.[A-Za-z0-9]+)?")


def names_columns(given: object) -> bool:
    """Whether this can be the name of a column, or a list of such names."""
    return is_name(given) or (isinstance(given, list) and bool(given) and all(map(is_name, given)))


FORMAT = Rule(
    "the format of a file, such as csv, parquet or csv.gz",
    lambda given: isinstance(given, str) and bool(WORDS.fullmatch(given)) and format_of(given)[0] is not None,
    {"type": "string"},
    "What the file is where its ending does not say so.",
)


TYPES = Rule(
    'a table such as {salary = "number"}',
    lambda given: isinstance(given, dict) and all(map(is_name, given)) and all(map(is_name, given.values())),
    {"type": "object", "additionalProperties": {"type": "string"}},
    "What columns of a text file are: number, boolean, text, date, datetime, time or duration.",
)
SECTIONS: dict[str, dict[str, Rule]] = {
    "study": {"title": Rule.text("What the publication is called.")},
    "data": {
        "file": Rule.name("The file of private data, or a pattern, relative to the study file."),
        "format": FORMAT,
        "types": TYPES,
        "separator": Rule.text("What stands between the cells of a text file."),
        "decimal": Rule.text("What stands before the decimals in a text file."),
        "encoding": Rule.text("How a text file is encoded."),
        "where": Rule.text("A condition on each row, such as age >= 18: those alone take part."),
        "name": Rule.text("The name of the data, where the ledger is for data of one name only."),
        "size": Rule.whole(
            "How many records there are, public or a guess: price says how good a mean is by it."
        ),
        "sample": Rule.name("A file that anybody may see, of the same columns, for simulate."),
    },
    "people": {
        "unit": Rule.name("The column that names a person."),
        "contributions": Rule(
            'a whole number above 0, or "private"',
            lambda given: given == "private" or (type(given) is int and given > 0),
            {"anyOf": [{"type": "integer", "minimum": 1}, {"const": "private"}]},
            "How many records of one person take part; private finds it for a part of each question's price.",
        ),
        "contributions_share": Rule.number(
            "With private contributions: the part of the price that finds them."
        ),
        "contributions_quantile": Rule.number("With private contributions: the share of people within them."),
        "contributions_most": Rule.whole("With private contributions: the largest that may be found."),
        "max_groups": Rule.whole("In how many groups one person takes part."),
        "per_group": Rule.whole("How many records of one person take part in any one group."),
        "neighbors": Rule.text("add_remove or swap."),
    },
    "budget": {
        "ledger": Rule.name(
            "The ledger's file, relative to the study file; it is created where there is none."
        ),
        "epsilon": Rule.number("All that the ledger may ever spend, as epsilon."),
        "delta": Rule.number("With epsilon: the chance of a loss beyond it."),
        "rho": Rule.number("All that the ledger may ever spend, as rho of zCDP."),
        "spend": Rule.number(
            "What all questions of this study cost together, in epsilon, instead of one in each."
        ),
        "spend_rho": Rule.number(
            "What all questions of this study cost together, in rho of zCDP, instead of one in each."
        ),
    },
}
ASK: dict[str, Rule] = {
    "name": Rule.text("What the answer is called, in this study and as a file."),
    "question": Rule.text("What is asked."),
    "group_by": Rule(
        "a column, or a list of columns",
        names_columns,
        {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]},
        "The columns whose values make groups.",
    ),
    "keys": Rule(
        "a list, or a table with a list for each column",
        lambda given: isinstance(given, (list, dict)) and bool(given),
        {"type": ["array", "object"]},
        "The groups there are, known without looking at the data.",
    ),
    "key_epsilon": Rule.number("Without keys: the privacy loss of finding out which groups there are."),
    "key_rho": Rule.number("The same in rho of zCDP, instead of key_epsilon."),
    "key_delta": Rule.number("Without keys: the chance of a loss beyond key_epsilon or key_rho."),
    "max_groups": Rule.whole("In how many of these groups one person takes part, if not as in [people]."),
    "per_group": Rule.whole(
        "How many records of one person take part in any one group, if not as in [people]."
    ),
    "share": Rule.number("Which part of spend or spend_rho this question gets, compared with the others."),
}
"""The keys that every question has."""
LIMITS = ("max_groups", "per_group")
"""The limits on people in groups, for all questions or for one."""
SEARCH = {"key_epsilon": "epsilon", "key_rho": "rho", "key_delta": "delta"}
"""The keys that pay for finding groups, and the arguments of `group_by` that they are."""
GROUPS = ("group_by", "keys", *SEARCH, *LIMITS)
SPENDS = {"spend": "epsilon", "spend_rho": "rho"}
"""The keys that say what all questions cost together, and the prices that they are."""
CURRENCIES = ("epsilon", "delta", "rho")
