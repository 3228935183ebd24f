"""Whatever a key of a study says, the study is in order or refused in words that name the key, with its line."""

import pytest

from noisewise.dataset.document import StudyError
from noisewise.errors import NoisewiseError
from noisewise.questions.question import KINDS, column_signature
from noisewise.study.checking import with_all_mistakes
from noisewise.study.document_keys import ASK, GROUPS, SECTIONS
from noisewise.study.study import Study

HOSTILE = (
    *("nan", "-inf", "inf", "-0.0", "1e400", "1e-400", "1e999999999", "-1", "0", f"{10**40}", "true", "0.5"),
    *("''", "' '", r'"\\u0000"', "'/etc/passwd'", "'nan'", "'1/0'", "'7d'", "'\u202e'", f"'{'x' * 300}'"),
    *("2024-02-29", "2024-02-29T12:00:00Z", "23:59:59.5"),
    *("[]", "['']", "[[]]", "[nan, inf]", "[1, 0]", "[1, 'x', true]", "{}", "{'' = 1}", "{a = {b = [{}]}}"),
)
OTHERS = {
    "bounds": ("bound",),
    "qs": ("q",),
    "bins": ("categories",),
    "X": ("columns",),
    "edges": ("columns",),
}
"""What else a refusal may call a key."""


def needed(kind):
    """A question of a kind with all that it needs, as lines by their keys."""
    say = {
        "bounds": "[0, 9]",
        "q": "0.5",
        "qs": "[0.5]",
        "categories": "['x', 'y']",
        "low": "0.1",
        "high": "0.9",
    }
    lines = {"name": "'one'", "question": f"'{kind.name}'", "epsilon": "0.1"}
    parameters = column_signature(kind).parameters
    for name, shape in zip(parameters, kind.capabilities.columns, strict=False):
        lines[name] = {"column": "'c'", "label": "'c'"}.get(shape, "['a', 'b']")
        if shape == "edges":
            lines["nodes"] = "9"
    for name, each in parameters.items():
        if each.default is each.empty:
            lines.setdefault(name, say.get(name, "3"))
    return lines


def cases():
    for section, rules in SECTIONS.items():
        yield from ((section, key, "count") for key in rules)
    yield from (("ask", key, "count") for key in ASK)
    first = {}
    for kind in KINDS.values():
        for key in column_signature(kind).parameters:
            first.setdefault(key, kind.name)
    yield from (("ask", key, kind) for key, kind in first.items())


def text_of(section, key, value, kind):
    sections = {
        "study": {},
        "data": {"file": "'x.csv'"},
        "people": {},
        "budget": {"ledger": "'l'"},
        "ask": needed(KINDS[kind]),
    }
    sections[section][key] = value
    if key == "delta":
        sections["budget"]["epsilon"] = "1"
    if section == "ask" and key in GROUPS and key != "group_by":
        sections["ask"] = {"group_by": "'g'", "key_epsilon": "1", "key_delta": "0.1"} | sections["ask"]
        if key == "keys":
            del sections["ask"]["key_epsilon"], sections["ask"]["key_delta"]
    if key == "group_by":
        sections["ask"]["keys"] = "['A']"
    if section == "ask" and key == "key_rho":
        del sections["ask"]["key_epsilon"]
    if key in ("spend", "spend_rho") or (section, key) == ("ask", "rho"):
        del sections["ask"]["epsilon"]
    if key == "share":
        sections["budget"]["spend"] = "1"
        del sections["ask"]["epsilon"]
    blocks = []
    for name, lines in sections.items():
        blocks += [f"[[{name}]]" if name == "ask" else f"[{name}]", *(f"{k} = {v}" for k, v in lines.items())]
    return "\n".join(blocks) + "\n"


@pytest.mark.parametrize(("section", "key", "kind"), list(cases()))
def test_a_hostile_value_is_refused_in_words_that_name_its_key(section, key, kind):
    for value in HOSTILE:
        text = text_of(section, key, value, kind)
        line = 1 + next(n for n, each in enumerate(text.splitlines()) if each == f"{key} = {value}")
        try:
            Study.parse(text).check()
            continue
        except StudyError as error:
            said = str(with_all_mistakes(error))
        except NoisewiseError as error:
            said = str(error)
        others = (
            "all questions together must cost no more",
            "must be larger, or delta",
            "must be larger, or gran",
        )
        if any(other in said for other in others):
            continue
        names = (key, *OTHERS.get(key, ()))
        assert any(name in said for name in names), (value, said)
        assert f"line {line}: " in said, (value, said)
