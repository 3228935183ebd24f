"""WHERE in SQL, as a condition that `Dataset.where` takes.

In SQL a comparison with NULL is neither true nor false, and NOT leaves it so. A row takes part if WHERE is true. In a
condition of `Dataset.where` every comparison is true or false, and false for a missing value. So the translation
carries NOT down to the comparisons, and each becomes the opposite one, which is false for a missing value, too:

    WHERE NOT (age < 18 AND dept = 'A')      age >= 18 or dept != 'A'

This is right because a condition is true exactly if SQL's is true, and its opposite exactly if SQL's is false. NaN is
missing here, and a large number in SQL.
"""

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from noisewise.dataset.sql.refusal import NotAsked, only, shown
from noisewise.tables.conditions import WORDS

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
SIGNS: dict[type[Any], str] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TURNED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
TIMES = ("DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMPNTZ", "TIMESTAMPLTZ", "DATETIME")
COMPARED = "compare a column with a number, a text, TRUE, FALSE or a date; derive other columns before"

Names = Callable[[Any], str]
"""The name of the column that an identifier means."""


def condition_of(node: Any, name_of: Names, *, true: bool = True) -> str:
    """A condition that is true exactly if SQL's is true; or, if not ``true``, exactly if SQL's is false."""
    match node:
        case exp.Paren():
            return condition_of(node.this, name_of, true=true)
        case exp.Not():
            return condition_of(node.this, name_of, true=not true)
        case exp.And() | exp.Or():
            joint = "and" if isinstance(node, exp.And) == true else "or"
            return f" {joint} ".join(
                f"({condition_of(part, name_of, true=true)})" for part in _parts(node, type(node))
            )
        case exp.Between():
            only(node, "this", "low", "high")
            name, (low, high) = (
                _column(node.this, name_of),
                (_literal(node.args[end]) for end in ("low", "high")),
            )
            return f"{name} >= {low} and {name} <= {high}" if true else f"{name} < {low} or {name} > {high}"
        case exp.In():
            only(node, "this", "expressions")
            listed = ", ".join(map(_literal, node.expressions))
            return f"{_column(node.this, name_of)} {'in' if true else 'not in'} ({listed})"
        case exp.Is() if isinstance(node.expression, exp.Null):
            return f"{_column(node.this, name_of)} is {'missing' if true else 'not missing'}"
    sign, left, right = SIGNS.get(type(node)), node.this, node.expression
    if sign is None or (not isinstance(left, exp.Column) and not isinstance(right, exp.Column)):
        raise NotAsked(node, shown(node), COMPARED)
    if not isinstance(left, exp.Column):
        left, right, sign = right, left, TURNED[sign]
    return f"{_column(left, name_of)} {sign if true else OPPOSITE[sign]} {_literal(right)}"


def _parts(node: Any, kind: type[Any]) -> list[Any]:
    """The parts that are joined by AND, or by OR. There may be hundreds, one inside the other."""
    parts = []
    while isinstance(node, kind):
        parts.append(node.expression)
        node = node.this
    return [node, *reversed(parts)]


def _column(node: Any, name_of: Names) -> str:
    if not isinstance(node, exp.Column):
        raise NotAsked(node, shown(node), COMPARED)
    name = name_of(node)
    plain = WORD.fullmatch(name) and name.lower() not in WORDS
    return str(name) if plain else '"' + name.replace('"', '""') + '"'


def _literal(node: Any) -> str:
    """A constant as a condition writes it."""
    match node:
        case exp.Paren():
            return _literal(node.this)
        case exp.Neg() if isinstance(node.this, exp.Literal) and not node.this.is_string:
            return f"-{_literal(node.this)}"
        case exp.Literal() if node.is_string:
            return "'" + str(node.this).replace("'", "''") + "'"
        case exp.Literal() if NUMBER.fullmatch(node.this):
            return str(node.this)
        case exp.Boolean():
            return "true" if node.this else "false"
        case exp.Cast() if isinstance(node.this, exp.Literal) and node.this.is_string:
            if node.to.this.name in TIMES:  # DATE '2024-01-31'
                return _literal(node.this)
        case exp.Null():
            raise NotAsked(
                node, "a comparison with NULL", "it is never true in SQL: write IS NULL or IS NOT NULL"
            )
    raise NotAsked(node, shown(node), COMPARED)
