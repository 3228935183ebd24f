"""A statement in SQL as questions, conditions and groups. It is read without data, and whatever it may not contain is
refused with its place in the text.

    SELECT    columns of GROUP BY, and COUNT, SUM, AVG, MIN, MAX, MEDIAN, QUANTILE and its relatives, VAR_POP,
              STDDEV_POP and CORR of columns, each with AS and FILTER (WHERE ...)
    FROM      one table
    WHERE     comparisons of columns with constants
    GROUP BY  columns
    ORDER BY, LIMIT    on the answer

Arithmetic with constants inside an aggregate is done on the answer: AVG(salary / 12) is the mean of salary, divided by
12. No record is computed with, so that none can fail.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from noisewise.dataset.facts import Facts
from noisewise.dataset.sql.refusal import NotAsked, only, refusal, shown
from noisewise.dataset.sql.where import NUMBER, condition_of
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import describe
from noisewise.questions.question import KINDS, Question

LONGEST, DEEPEST = 10_000, 50
"""The most characters of a statement, and the most brackets inside each other."""
LARGEST = Fraction(10) ** 100
"""The largest constant."""
BEYOND_FLOATS = 2**1023
"""An answer as large as this is written as a whole number, since a float may not hold it."""
EXPLAIN = re.compile(r"\s*EXPLAIN\b", re.IGNORECASE)
FIXES = {
    "joins": "join first, then ask: docs/tutorial/joins.md says which joins keep a person's rows theirs",
    "with": "make the table first, and ask of it",
    "having": "leave out rows of the answer afterwards, which costs nothing",
    "distinct": "GROUP BY the columns, or COUNT(DISTINCT column)",
    "qualify": "leave out rows of the answer afterwards",
    "windows": "compute it first, row by row of one person, and ask of the result",
    "offset": "leave out rows of the answer afterwards",
}
AGGREGATES = (
    "ask COUNT, SUM, AVG, MIN, MAX, MEDIAN, QUANTILE, PERCENTILE_CONT, PERCENTILE_DISC, APPROX_QUANTILE, VAR_POP, "
    "STDDEV_POP or CORR of columns"
)
CONSTANTS = "compute with one column and constants by + - * /; derive other columns before"
KIND_OF: dict[type[Any], str] = {
    exp.Sum: "sum",
    exp.Avg: "mean",
    exp.Min: "min",
    exp.Max: "max",
    exp.Median: "median",
    exp.VariancePop: "variance",
    exp.StddevPop: "std",
}
QUANTILES = (exp.Quantile, exp.ApproxQuantile, exp.PercentileCont, exp.PercentileDisc)
NAMED = ("approx_percentile", "quantile")
"""Quantiles that not every dialect knows."""
SAMPLED: dict[type[Any], str] = {
    exp.Variance: "VAR_POP",
    exp.Stddev: "STDDEV_POP",
    exp.StddevSamp: "STDDEV_POP",
}


@dataclass(frozen=True, slots=True)
class Scaled:
    """A column times a factor plus a number, in exact arithmetic. Without a column it is the number."""

    column: Any
    factor: Fraction
    shift: Fraction


@dataclass(frozen=True, slots=True)
class Item:
    """A column of the answer: a column of GROUP BY, or a question and the arithmetic on its answer."""

    name: str
    key: str | None = None
    question: Question | None = None
    condition: str | None = None
    """The condition of its FILTER."""
    factor: Fraction = Fraction(1)
    shift: Fraction = Fraction(0)

    @property
    def is_plain(self) -> bool:
        """Whether there is no arithmetic on the answer."""
        return self.factor == 1 and self.shift == 0

    def of(self, value: Any) -> Any:
        """The value of the answer as the statement asks for it."""
        if value is None or self.is_plain:
            return value
        exactly = Fraction(value) * self.factor + self.shift
        if (isinstance(value, int) and exactly.denominator == 1) or abs(exactly) >= BEYOND_FLOATS:
            return round(exactly)
        return float(exactly)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as it was understood."""

    items: tuple[Item, ...]
    table: str
    condition: str | None
    by: tuple[str, ...]
    order: tuple[tuple[int, bool], ...]
    """The items by which rows are sorted, and whether each falls."""
    limit: int | None
    explained: bool

    @property
    def questions(self) -> dict[str, Question]:
        return {item.name: item.question for item in self.items if item.question is not None}

    @classmethod
    def read(
        cls,
        text: object,
        dialect: object = "duckdb",
        *,
        names: tuple[Any, ...] | None,
        unit: str | None = None,
        table: str | None = None,
        facts: Facts | None = None,
    ) -> "Statement":
        """Translate a statement about a table with these columns, or refuse it."""
        if not isinstance(text, str):
            raise ParameterTypeError("sql", "must be the text of a SELECT", got=describe(text)) from None
        if len(text) > LONGEST:
            raise ParameterError(
                "sql", f"must have at most {LONGEST:,} characters", got=f"{len(text):,}"
            ) from None
        tree, explained = _parsed(text, _dialect(dialect))
        try:
            return StatementReader(names, unit, table, facts or Facts()).statement(tree, explained)
        except NotAsked as refused:
            raise refused.error(text) from None
        except Exception:  # a part that its parser left out, or parts too deep inside each other
            raise refusal(text, None, "a part that cannot be read", "write it more simply") from None


def _dialect(given: object) -> Dialect:
    try:
        return Dialect.get_or_raise(given if isinstance(given, str) else "?")
    except ValueError:
        pass
    raise ParameterError(
        "dialect", "must be a dialect that sqlglot knows, such as duckdb or postgres", got=describe(given)
    ) from None


def _parsed(text: str, dialect: Dialect) -> tuple[Any, bool]:
    """The tree of the only statement in a text, which is a SELECT, and whether it is to be explained."""
    if explained := EXPLAIN.match(text):
        text = " " * explained.end() + text[explained.end() :]
    try:
        tokens = dialect.tokenize(text)
    except Exception:  # whatever the text makes a tokenizer do
        raise refusal(text, None, "a text that cannot be read", "") from None
    while tokens and tokens[-1].token_type.name == "SEMICOLON":
        tokens.pop()
    if not tokens or tokens[0].token_type.name != "SELECT":
        got = describe(tokens[0].text[:40]) if tokens else "none"
        fix = FIXES["with"] if tokens and tokens[0].token_type.name == "WITH" else "begin with SELECT"
        raise refusal(text, tokens[0].start if tokens else None, got, fix) from None
    _check_depth(text, tokens)
    try:
        trees = dialect.parser().parse(tokens, text)
    except SqlglotError as error:
        found = getattr(error, "errors", None) or [{}]
        said, line, column = (found[0].get(key) for key in ("description", "line", "col"))
        place = f" at line {line}, column {column}" if line else ""
        got = f"a text that cannot be read{place}"
        raise ParameterError("sql", "must be SQL", got=got, why=str(said or "").rstrip(".")) from None
    except Exception:  # whatever the text makes a parser do
        raise refusal(text, None, "a text that cannot be read", "") from None
    if len(trees) != 1 or not isinstance(trees[0], exp.Select):
        got = "several statements" if len(trees) > 1 else "two tables put together"
        fix = "ask one at a time" if len(trees) > 1 else "make the table first, and ask of it"
        raise refusal(text, None, got, fix) from None
    return trees[0], explained is not None


def _check_depth(text: str, tokens: list[Any]) -> None:
    depth = 0
    for token in tokens:
        depth += token.token_type.name in ("L_PAREN", "L_BRACKET", "L_BRACE", "CASE")
        depth -= token.token_type.name in ("R_PAREN", "R_BRACKET", "R_BRACE", "END")
        if depth > DEEPEST:
            raise refusal(
                text, token.start, "brackets too deep inside each other", f"at most {DEEPEST} may be"
            ) from None


class StatementReader:
    """Reads one statement about a table with the columns ``names``."""

    def __init__(
        self, names: tuple[Any, ...] | None, unit: str | None, table: str | None, facts: Facts
    ) -> None:
        self.names, self.unit, self.table, self.facts = names, unit, table, facts
        self.called: tuple[str, ...] = ()
        self.by: tuple[str, ...] = ()

    def statement(self, tree: Any, explained: bool) -> Statement:
        only(tree, "expressions", "from", "from_", "where", "group", "order", "limit", fixes=FIXES)
        table = self.read_table(tree)
        where, group = tree.args.get("where"), tree.args.get("group")
        if group is not None:
            only(group, "expressions")
            self.by = tuple(self.key(each) for each in group.expressions)
        items = tuple(self.item(each) for each in tree.expressions)
        self.check_names(tree, items)
        if not any(item.question for item in items):
            raise NotAsked(tree, "no aggregate", AGGREGATES)
        return Statement(
            items,
            table,
            None if where is None else condition_of(where.this, self.name_of),
            self.by,
            tuple(self.ordered(each, tree, items) for each in self.orders(tree)),
            self.limit(tree.args.get("limit")),
            explained,
        )

    def read_table(self, tree: Any) -> str:
        clause = tree.args.get("from_") or tree.args.get("from")
        if clause is None:
            raise NotAsked(tree, "no FROM", "say FROM and the name of the table")
        table = clause.this
        if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
            raise NotAsked(clause, shown(table), "name one table; make it first, and ask of it")
        only(table, "this", "db", "catalog", "alias", fixes=FIXES)
        parts = [table.args.get(part) for part in ("catalog", "db", "this")]
        name = ".".join(part.name for part in parts if part is not None)
        quoted = any(part is not None and part.quoted for part in parts)
        known = self.table
        if known is not None and name != known and (quoted or name.lower() != known.lower()):
            raise NotAsked(table, f"the table {describe(name)}", f"this one is called {describe(known)}")
        alias = table.args.get("alias")
        if alias is not None:
            only(alias, "this")
        self.called = tuple(filter(None, [table.name, alias and alias.name]))
        return name

    def name_of(self, node: Any) -> str:
        """The column that a name means. Without quotes its case does not count, if only one column is called so."""
        if not isinstance(node, exp.Column) or not isinstance(node.this, exp.Identifier):
            raise NotAsked(node, shown(node), "name a column")
        only(node, "this", "table")
        if node.table and node.table.lower() not in map(str.lower, self.called):
            raise NotAsked(node, f"the table {describe(node.table)}", "name the one of FROM")
        name, quoted = node.name, node.this.quoted
        if self.names is None or (quoted and name in self.names):
            return str(name)
        same = [each for each in self.names if isinstance(each, str) and each.lower() == name.lower()]
        if quoted or len(same) != 1:
            listed = ", ".join(map(repr, self.names[:12])) + (", ..." if len(self.names) > 12 else "")
            fix = (
                "put the name in double quotes, as its case decides"
                if len(same) > 1
                else f"there are {listed}"
            )
            raise NotAsked(node, f"the column {describe(name)}", fix)
        return same[0]

    def key(self, node: Any) -> str:
        if not isinstance(node, exp.Column):
            raise NotAsked(node, shown(node), "name a column of the table to group by; derive it before")
        return self.name_of(node)

    def item(self, node: Any) -> Item:
        alias, inner = None, node
        if isinstance(node, exp.Alias):
            only(node, "this", "alias")
            alias, inner = node.alias, node.this
        if isinstance(inner, exp.Column):
            name = self.name_of(inner)
            if name not in self.by:
                fix = "put it into GROUP BY, or ask an aggregate of it"
                raise NotAsked(inner, f"the column {describe(name)}", fix)
            return Item(alias or inner.name, key=name)
        condition = None
        if isinstance(inner, exp.Filter):
            only(inner, "this", "expression")
            condition = condition_of(inner.expression.this, self.name_of)
            inner = inner.this
        question, scaled = self.asked(inner)
        return Item(alias or node.sql(), None, question, condition, scaled.factor, scaled.shift)

    def check_names(self, tree: Any, items: tuple[Item, ...]) -> None:
        seen = set[str]()
        for node, item in zip(tree.expressions, items, strict=True):
            taken = seen if item.key is not None else seen | {name.lower() for name in self.by}
            if item.name.lower() in taken:
                raise NotAsked(node, f"the name {describe(item.name)} twice", "give another by AS")
            seen.add(item.name.lower())

    def asked(self, node: Any) -> tuple[Question, Scaled]:
        """The question that an aggregate asks, and the arithmetic on its answer."""
        match node:
            case exp.Count():
                return self.count(node), Scaled(None, Fraction(1), Fraction(0))
            case exp.WithinGroup():
                return self.within_group(node)
            case exp.Corr():
                only(node, "this", "expression")
                columns = (self.name_of(node.this), self.name_of(node.expression))
                return Question(KINDS["pearson"], columns, (), {}), Scaled(None, Fraction(1), Fraction(0))
        if isinstance(node, QUANTILES):
            only(node, "this", "quantile", "expression")
            q = node.args.get("quantile") or node.args.get("expression")
            return self.quantile(node, node.this, q)
        if isinstance(node, exp.Anonymous) and node.name.lower() in NAMED and len(node.expressions) == 2:
            return self.quantile(node, *node.expressions)
        if (kind := KIND_OF.get(type(node))) is None:
            instead = SAMPLED.get(type(node))
            raise NotAsked(node, shown(node), f"write {instead}" if instead else AGGREGATES)
        only(node, "this")
        scaled = self.scaled(node.this)
        return self.of_column(node, kind, scaled)

    def count(self, node: Any) -> Question:
        only(node, "this", "big_int")
        what = node.this
        if isinstance(what, exp.Star):
            only(what)
            return Question(KINDS["count"], (None,), (), {})
        if not isinstance(what, exp.Distinct):
            return Question(KINDS["count"], (self.name_of(what),), (), {})
        only(what, "expressions")
        if len(what.expressions) != 1:
            raise NotAsked(node, shown(node), "count the distinct values of one column")
        name = self.name_of(what.expressions[0])
        if name == self.unit:
            return Question(KINDS["count_people"], (None,), (), {})
        if self.facts.keys((name,)) is None:
            fix = "say its values first, as columns={...: Column(keys=[...])}; or count the column that names people"
            raise NotAsked(node, shown(node), fix)
        return Question(KINDS["count_distinct"], (name,), (), {})

    def within_group(self, node: Any) -> tuple[Question, Scaled]:
        only(node, "this", "expression")
        inner, order = node.this, node.expression
        if not isinstance(inner, (exp.PercentileCont, exp.PercentileDisc)) or inner.expression is not None:
            raise NotAsked(node, shown(node), AGGREGATES)
        (ordered, *more) = order.expressions
        only(ordered, "this", "nulls_first", fixes={"desc": "sort upwards, and ask for 1 minus the quantile"})
        if more:
            raise NotAsked(more[0], "a second column to sort by", "leave it out")
        return self.quantile(node, ordered.this, inner.this)

    def quantile(self, node: Any, what: Any, q: Any) -> tuple[Question, Scaled]:
        share = self.scaled(q)
        if share.column is not None or not 0 <= share.shift <= 1:
            raise NotAsked(node, shown(node), "the quantile must be a constant from 0 to 1")
        return self.of_column(node, "quantile", self.scaled(what), (share.shift,))

    def of_column(
        self, node: Any, kind: str, scaled: Scaled, arguments: tuple[object, ...] = ()
    ) -> tuple[Question, Scaled]:
        """A question about one column, and the same arithmetic on its answer as the statement does with records."""
        factor, shift = scaled.factor, scaled.shift
        if scaled.column is None or factor == 0:
            raise NotAsked(node, shown(node), "ask an aggregate of a column; COUNT(*) counts rows")
        if kind == "sum" and shift != 0:
            raise NotAsked(node, shown(node), "ask SUM of the column and COUNT of it, and add up the answers")
        if kind in ("median", "quantile") and factor < 0:
            raise NotAsked(node, shown(node), "multiply by a number above 0")
        if kind in ("min", "max") and factor < 0:
            kind = {"min": "max", "max": "min"}[kind]
        if kind in ("variance", "std"):
            factor, shift = abs(factor) if kind == "std" else factor**2, Fraction(0)
        question = Question(KINDS[kind], (self.name_of(scaled.column),), arguments, {})
        return question, Scaled(scaled.column, factor, shift)

    def scaled(self, node: Any) -> Scaled:
        """A column with constants, or a constant. No arithmetic is done on records."""
        match node:
            case exp.Paren():
                return self.scaled(node.this)
            case exp.Column():
                self.name_of(node)
                return Scaled(node, Fraction(1), Fraction(0))
            case exp.Literal() if not node.is_string:
                return Scaled(None, Fraction(0), _number(node))
            case exp.Neg():
                one = self.scaled(node.this)
                return Scaled(one.column, -one.factor, -one.shift)
            case exp.Add() | exp.Sub():
                left, right = self.scaled(node.this), self.scaled(node.expression)
                sign = 1 if isinstance(node, exp.Add) else -1
                if left.column is not None and right.column is not None:
                    raise NotAsked(node, shown(node), CONSTANTS)
                column = right.column if left.column is None else left.column
                return _bounded(
                    node, column, left.factor + sign * right.factor, left.shift + sign * right.shift
                )
            case exp.Mul() | exp.Div():
                left, right = self.scaled(node.this), self.scaled(node.expression)
                if isinstance(node, exp.Mul) and left.column is None:
                    left, right = right, left
                if right.column is not None:
                    raise NotAsked(node, shown(node), CONSTANTS)
                if isinstance(node, exp.Mul):
                    return _bounded(node, left.column, left.factor * right.shift, left.shift * right.shift)
                if right.shift == 0:
                    raise NotAsked(node, shown(node), "divide by another number than 0")
                if node.args.get("typed") and _is_whole(node.expression):
                    fix = "this dialect may drop the remainder: write the divisor with a point, as in 12.0"
                    raise NotAsked(node, shown(node), fix)
                return _bounded(node, left.column, left.factor / right.shift, left.shift / right.shift)
        raise NotAsked(node, shown(node), CONSTANTS)

    def orders(self, tree: Any) -> list[Any]:
        order = tree.args.get("order")
        if order is None:
            return []
        only(order, "expressions")
        return list(order.expressions)

    def ordered(self, node: Any, tree: Any, items: tuple[Item, ...]) -> tuple[int, bool]:
        """The item that ORDER BY means: by its name, its place, or its text."""
        only(node, "this", "desc", "nulls_first")
        what, found = node.this, list[int]()
        if isinstance(what, exp.Literal) and not what.is_string and what.this.isdecimal():
            found = [int(what.this) - 1] if 0 < int(what.this[:9]) <= len(items) else []
        elif isinstance(what, exp.Column) and not what.table:
            found = [place for place, item in enumerate(items) if item.name.lower() == what.name.lower()]
        if not found:
            found = [place for place, each in enumerate(tree.expressions) if each.unalias() == what]
        if not found:
            raise NotAsked(what, shown(what), "sort by a column of the answer, by its name or its number")
        return found[0], bool(node.args.get("desc"))

    def limit(self, node: Any) -> int | None:
        if node is None:
            return None
        only(node, "expression", fixes=FIXES)
        text = node.expression.this if isinstance(node.expression, exp.Literal) else ""
        if not isinstance(text, str) or not re.fullmatch("[0-9]{1,9}", text):
            raise NotAsked(node, "LIMIT", "say a whole number")
        return int(text)


def _number(node: Any) -> Fraction:
    """A number in the text, exactly."""
    text = node.this
    _, _, exponent = text.lower().partition("e")
    if not NUMBER.fullmatch(text) or len(text) > 40 or len(exponent) > 3:
        raise NotAsked(node, shown(node), "write a number of at most 40 digits")
    return Fraction(text)


def _is_whole(node: Any) -> bool:
    """Whether every number in a constant is written without a point."""
    return all("." not in each.this and "e" not in each.this.lower() for each in node.find_all(exp.Literal))


def _bounded(node: Any, column: Any, factor: Fraction, shift: Fraction) -> Scaled:
    parts = [abs(part) for number in (factor, shift) for part in (number.numerator, number.denominator)]
    if max(parts) > LARGEST:
        raise NotAsked(node, shown(node), "compute with smaller numbers")
    return Scaled(column, factor, shift)
