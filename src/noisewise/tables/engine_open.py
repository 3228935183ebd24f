"""Whether a frame can still be asked at all: a relation of DuckDB cannot once its connection is closed."""

from typing import Any

from noisewise.errors import SchemaError


def judge_open(frame: Any) -> None:
    """Refuse a closed one before anything is paid; what DuckDB raises then is no error of ours."""
    if not frame.implementation.is_duckdb():
        return
    try:
        answers = frame.to_native().columns is not None
    except Exception:
        answers = False
    if not answers:
        raise SchemaError("frame must be a relation of an open connection, got one that is closed") from None
