"""InFrames: what turns the answers of a release into a data frame of pandas or of Polars."""

from typing import Any


class InFrames:
    """A release with ``frame``, which can be had from pandas or Polars, too, wherever the data is."""

    __slots__ = ()

    def to_pandas(self) -> Any:
        """The table of `frame` as a data frame of pandas."""
        from noisewise.results.tidy import frame_in

        return frame_in("pandas", self)

    def to_polars(self) -> Any:
        """The table of `frame` as a data frame of Polars."""
        from noisewise.results.tidy import frame_in

        return frame_in("polars", self)
