"""Whether a frame can still be asked at all: a relation of DuckDB cannot once its connection is closed."""

from typing import Any

from noisewise.errors import SchemaError


def judge_open(frame: Any) -> None:
    """Refuse a closed one before anything is paid; what DuckDB raises then is no error of ours."""
    if not frame.implementation.is_duckdb():
        return
    closed = False
    try:
        frame.to_native().project("1")
    except Exception as error:  # whatever else is wrong is found out elsewhere
        closed = type(error).__name__ == "ConnectionException"
    if closed:
        raise SchemaError(
            "frame", "must be a relation of an open connection", got="one that is closed"
        ) from None
