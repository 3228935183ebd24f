"""What can go wrong, and nothing about the data.

    NoisewiseError
    ├── ParameterError (ValueError)      a parameter has a wrong value; raised before anything is paid or read
    ├── ParameterTypeError (TypeError)   a parameter has a wrong type; likewise
    ├── SchemaError (TypeError)          the data has a wrong shape or declared type; likewise
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
