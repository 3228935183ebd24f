"""The errors of the library. They say nothing about the data.

    NoisewiseError
    ├── ParameterError (ValueError)      a parameter has a wrong value; raised before anything is paid or read
    ├── ParameterTypeError (TypeError)   a parameter has a wrong type; raised before anything is paid or read
    ├── SchemaError (TypeError)          the data has a wrong shape or declared type; nothing is paid or read
    ├── BudgetExceeded (ValueError)      a ledger has too little left; nothing is paid or read
    ├── LedgerError (RuntimeError)       a ledger cannot be read or written, or was tampered with; nothing is released
    └── ReleaseFailed (RuntimeError)     something broke after the debit: no value, and the debit stands

Python and the command line each make a text from the fields of an error: ``<what> must <rule>, got <value>: <why>;
<fix>``. The fields hold parameters and declared types, never a record, a count or a position. So the text of an error
is the same whatever the data is.
"""

from typing import Any

from noisewise.kernel.errors import (
    NoisewiseError,
    Pair,
    ParameterError,
    ParameterTypeError,
    ReleaseFailed,
    Text,
    TextPiece,
    Value,
    Words,
    any_of,
    python_text,
    text_parts,
)

__all__ = [
    "PACKAGES",
    "BudgetExceeded",
    "Call",
    "ColumnName",
    "FileName",
    "Keyword",
    "LedgerError",
    "NoisewiseError",
    "Pair",
    "Parameter",
    "ParameterError",
    "ParameterTypeError",
    "ReleaseFailed",
    "SchemaError",
    "Text",
    "TextPiece",
    "Value",
    "Words",
    "any_of",
    "install",
    "python_text",
    "text_parts",
]

for each in (NoisewiseError, ParameterError, ParameterTypeError, ReleaseFailed):
    each.__module__ = __name__  # the name in tracebacks and pickles
del each


class Keyword(TextPiece):
    """A parameter and a word that is its value: ``neighbors="swap"``."""

    @staticmethod
    def in_python(*made_of: str) -> str:
        name, value = made_of
        return f'{name}="{value}"'


class Parameter(TextPiece):
    """The name of a parameter: ``max_groups``."""


class ColumnName(TextPiece):
    """The name of a column, in quotes."""

    @staticmethod
    def in_python(*made_of: str) -> str:
        return repr(made_of[0])


class FileName(TextPiece):
    """The path of a file, in quotes."""

    @staticmethod
    def in_python(*made_of: str) -> str:
        return repr(made_of[0])


class Call(TextPiece):
    """Advice in Python, with the parameter to give and its value. On a command line it is an option."""


PACKAGES = {
    "pandas": ("pandas>=2.2.0",),
    "polars": ("polars>=1.37.1", "pyarrow>=16.0.0"),
    "duckdb": ("duckdb>=1.5.6", "pyarrow>=16.0.0"),
    "postgres": ("psycopg[binary]>=3.1.4",),
    "postgres-tables": (
        "ibis-framework>=10.0.0",
        "packaging>=21.3",
        "pyarrow>=16.0.0",
        "psycopg[binary]>=3.1.4",
    ),
    "accounting": ("dp-accounting>=0.6",),
    "opendp": ("opendp>=0.16",),
    "altair": ("altair>=5.5",),
    "pictures": ("vl-convert-python>=1.7.0",),
    "sql": ("sqlglot>=26.33.0",),
    "cli": (
        "typer>=0.15.4",
        "rich>=13",
        "duckdb>=1.5.6",
        "pyarrow>=16.0.0",
        "vl-convert-python>=1.7.0",
        "sqlglot>=26.33.0",
    ),
    "explore": ("starlette>=1.3.1", "uvicorn>=0.30", "h11>=0.16", "polars>=1.37.1", "pyarrow>=16.0.0"),
}
"""The packages that the optional parts need, as in pyproject.toml. An error names the packages, not the optional part,
because every package index has them."""


def install(extra: str) -> str:
    """The command that installs the packages of an optional part."""
    return f"pip install {' '.join(f'{chr(34)}{package}{chr(34)}' for package in PACKAGES[extra])}"


class SchemaError(NoisewiseError, TypeError):
    """The data has a wrong shape or a wrong declared type."""


class BudgetExceeded(NoisewiseError, ValueError):
    """A ledger has too little left for a release. Nothing was debited and nothing was read.

    Attributes:
        asked: The loss that was asked for.
        remaining: What remains of the budget, as a loss.
        fits: The largest epsilon that would still fit, as it is typed in the question. If the debit was of a loss
            alone, or of several questions together, it is the epsilon of that loss, or the rho of a ``ZCDP``.
    """

    def __init__(
        self, what: Text, asked: object = None, remaining: object = None, fits: object = None, **fields: Any
    ) -> None:
        super().__init__(what, **fields)
        self.args = (*self.args, asked, remaining, fits)
        self.asked, self.remaining, self.fits = asked, remaining, fits

    def __str__(self) -> str:
        return str(self.args[0])


class LedgerError(NoisewiseError, RuntimeError):
    """A ledger cannot be read or written, or its entries do not add up. Nothing was released."""
