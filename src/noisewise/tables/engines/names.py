"""Names of columns that an engine takes for something else: for several columns, or for another one."""

from collections.abc import Iterable

from noisewise.errors import SchemaError


def judge_names(engine: str, asked: Iterable[str], there: Iterable[str]) -> None:
    """Refuse such names before anything is paid: those asked about, or all that are there where queries name them all.

    DuckDB's do. Names are public.
    """
    for name in there if engine == "DuckDB" else asked:
        if rule := _rule(engine, name):
            raise SchemaError(
                "columns", f"must have names {rule} for {engine}", got=repr(name), fix="rename it"
            ) from None


def _rule(engine: str, name: str) -> str:
    """How names must be; nothing where this one is so."""
    if name == "*":
        return "other than *"
    if engine == "Polars" and name.startswith("^") and name.endswith("$"):
        return "that do not begin with ^ and end with $"
    if engine == "Spark" and set(name) & set(".`"):
        return "without . and `"
    if engine == "DuckDB" and set(name) & set('."') and _takes_apart():
        return 'without . and " before its version 2.0'
    return ""


def _takes_apart() -> bool:
    """Whether DuckDB takes a name apart at its dots and quotes, by which it may find another column."""
    import duckdb

    return int(duckdb.__version__.partition(".")[0]) < 2
