"""Breaks of statements in SQL: NULL taken for false, arithmetic that could fail, prices that are divided wrongly."""

from tests.mutants.mutant import Mutant

SQL, WHERE = "tests/dataset/test_sql.py", "tests/dataset/sql/test_where.py"
REFUSED = SQL + "::test_whatever_else_is_refused_before_the_debit"

MUTANTS = [
    Mutant(
        "NOT is two-valued",
        "dataset/sql/where.py",
        "return condition_of(node.this, name_of, true=not true)",
        'return f"not ({condition_of(node.this, name_of, true=true)})"',
        WHERE + "::test_every_formula_leaves_the_rows_that_duckdb_leaves",
    ),
    Mutant(
        "NOT leaves AND as it is",
        "dataset/sql/where.py",
        'joint = "and" if isinstance(node, exp.And) == true else "or"',
        'joint = "and" if isinstance(node, exp.And) else "or"',
        WHERE + "::test_every_formula_leaves_the_rows_that_duckdb_leaves",
    ),
    Mutant(
        "a column is divided by a column",
        "dataset/sql/statement.py",
        "                    left, right = right, left\n                if right.column is not None:",
        "                    left, right = right, left\n                if False:",
        REFUSED,
    ),
    Mutant(
        "a division by zero is computed",
        "dataset/sql/statement.py",
        "if right.shift == 0:",
        "if False:",
        REFUSED,
    ),
    Mutant(
        "a sum is shifted once for all rows",
        "dataset/sql/statement.py",
        'if kind == "sum" and shift != 0:',
        "if False:",
        REFUSED,
    ),
    Mutant(
        "arithmetic with dates fails after the debit",
        "dataset/sql/sql_answer.py",
        "if pair_in_time(bounds) is not None:",
        "if False:",
        REFUSED,
    ),
    Mutant(
        "shares of a statement are not heard",
        "dataset/sql/sql_answer.py",
        "return priced(self.statement.questions, price, self.shares)",
        "return priced(self.statement.questions, price, None)",
        SQL + "::test_a_statement_is_paid_once_and_its_price_is_divided_as_by_agg",
    ),
    Mutant(
        "a search for groups is paid before the statement is checked",
        "dataset/sql/sql_answer.py",
        "by, together = self.statement.by, self.stand_ins()",
        "by, together = self.statement.by, self.data.where('1 = 1') if False else Together({})",
        SQL + "::test_groups_are_searched_for_after_the_statement_was_checked",
    ),
    Mutant(
        "a clause that nobody knows is left out",
        "dataset/sql/refusal.py",
        "if name in allowed or given is None or given is False or given == []:",
        "if True:",
        REFUSED,
    ),
]
