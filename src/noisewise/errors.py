"""What can go wrong, and nothing about the data.

    NoisewiseError
    ├── ParameterError (ValueError)      a parameter has a wrong value; raised before anything is paid or read
    ├── ParameterTypeError (TypeError)   a parameter has a wrong type; likewise
    ├── SchemaError (TypeError)          the data has a wrong shape or declared type; likewise
    ├── BudgetExceeded (ValueError)      a ledger has too little left; likewise
    ├── LedgerError (RuntimeError)       a ledger cannot be read or written, or was tampered with; nothing is released
    └── ReleaseFailed (RuntimeError)     something broke after the debit: no value, and the debit stands

Messages read ``<name> must <rule>, got <value>``. They echo parameters and declared types, never a record, a count
or a position, so an error carries the same text whatever the data is.
"""


class NoisewiseError(Exception):
    """Every error of this library."""


class ParameterError(NoisewiseError, ValueError):
    """A parameter has a value the library cannot honour."""


class ParameterTypeError(NoisewiseError, TypeError):
    """A parameter is not of the type it must be."""


class SchemaError(NoisewiseError, TypeError):
    """The data is not a one-dimensional column of numbers, judged by its declared type alone."""


class ReleaseFailed(NoisewiseError, RuntimeError):
    """The computer failed after the privacy cost was paid. No value was released and nothing is refunded."""


class BudgetExceeded(NoisewiseError, ValueError):
    """A ledger has too little left for a release. Nothing was debited and nothing was read.

    Attributes:
        asked: The loss that was asked for.
        remaining: What remains of the budget, as a loss.
        fits: The largest epsilon that would still fit, as it is typed in the question that was asked; where a loss was
            debited by itself or for several questions together, that of the loss; the largest rho for a ``ZCDP``.
    """

    def __init__(
        self, message: str, asked: object = None, remaining: object = None, fits: object = None
    ) -> None:
        super().__init__(message, asked, remaining, fits)
        self.asked, self.remaining, self.fits = asked, remaining, fits

    def __str__(self) -> str:
        return str(self.args[0])


class LedgerError(NoisewiseError, RuntimeError):
    """A ledger cannot be read or written, or what is written in it does not add up. Nothing was released."""
