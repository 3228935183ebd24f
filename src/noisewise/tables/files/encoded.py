"""The bytes of text files as UTF-8, from all compressions and encodings. No file is read as a whole.

Every record is converted alone. Whether a file of gzip or Zstandard can be unpacked does not depend on a record. It is
checked when the file is opened, before the debit. Only encodings in which no character changes how later lines are
read are accepted: UTF-8, UTF-16 and encodings of one byte per character. A character that the encoding does not have
becomes a byte that is no UTF-8, so that its cell is missing (cells.py, json_lines.py).
"""

import codecs
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, cast

from noisewise.errors import FileName, ParameterError, SchemaError
from noisewise.kernel.numbers.exact import describe

PART = 2**20
"""The number of bytes that are decoded at once."""
PACKED = ("gz", "zst")
"""The endings of packed files that can be read."""
ONE_BYTE = ("iso8859", "cp125", "cp437", "cp85", "cp866", "koi8", "mac-", "ascii")
"""The beginnings of the names of encodings with one byte per character."""
UTF_8 = ("utf-8", "utf-8-sig")
UNKNOWN, NO_UTF_8 = "\ufffd".encode(), b"\xff"
"""The character that Python puts in place of bytes it cannot decode, and a byte that UTF-8 never contains."""


def uncompressed(path: str) -> BinaryIO:
    """Open a file that is not packed."""
    return open(path, "rb")


class Unpacked(BufferedReader):
    """A stream that unpacks a file while it is read. ``packed`` is the file itself."""

    packed: BinaryIO

    def close(self) -> None:
        super().close()
        self.packed.close()


def _of_zstandard(path: str) -> BinaryIO:
    """Open a file that Zstandard packed. PyArrow unpacks it, since every text file needs PyArrow anyway."""
    import pyarrow as pa

    packed = uncompressed(path)
    file = Unpacked(pa.input_stream(packed, compression="zstd", buffer_size=PART))
    file.packed = packed
    return cast(BinaryIO, file)


def bytes_read(file: Any) -> int:
    """How many bytes of the file on disk have been read. Packed bytes are counted, and not the unpacked ones."""
    if isinstance(file, Unpacked):
        return file.packed.tell()
    if isinstance(file, gzip.GzipFile):
        return int(file.fileobj.tell())  # type: ignore[union-attr]
    if isinstance(raw := getattr(file, "raw", None), AsUtf8):
        return bytes_read(raw.file)
    return int(file.tell())


OPEN: dict[str, Callable[[str], BinaryIO]] = {
    "": uncompressed,
    "gz": lambda path: cast(BinaryIO, gzip.GzipFile(path)),
    "zst": _of_zstandard,
}
Opened = Callable[[str], BinaryIO]
"""Opens a text file as bytes of UTF-8."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """How text files are packed and encoded. Public."""

    packed: str = ""
    encoding: str = "utf-8"

    @classmethod
    def of(cls, packed: str, encoding: object) -> "Encoded":
        """Files packed in this way, and encoded as the name says. Encodings that cannot be read are refused."""
        try:
            known = codecs.lookup(encoding).name if isinstance(encoding, str) else ""
        except (LookupError, ValueError):
            known = ""
        if not (known in UTF_8 or known.startswith(("utf-16", *ONE_BYTE))):
            raise ParameterError(
                "encoding",
                "must be utf-8, utf-16 or one of a byte for each sign, such as latin-1 or cp1252",
                got=describe(encoding),
                fix="else make the file UTF-8 first, as iconv does",
            ) from None
        return cls(packed, "utf-8" if known in UTF_8 else known)

    def open(self, path: str) -> BinaryIO:
        file = OPEN[self.packed](path)
        return (
            file if self.encoding == "utf-8" else cast(BinaryIO, BufferedReader(AsUtf8(file, self.encoding)))
        )

    def check_whole(self, paths: tuple[str, ...]) -> None:
        """Read packed files once to their end, and refuse those that cannot be unpacked."""
        for path in paths if self.packed else ():
            try:
                with Encoded(self.packed).open(path) as file:
                    while file.read(PART):
                        pass
            except Exception:
                whole = False
            else:
                whole = True
            if not whole:
                raise SchemaError(
                    "source", f"must be a whole file packed as {self.packed}", got=FileName(path)
                ) from None


class AsUtf8(RawIOBase):
    """A file of another encoding as bytes of UTF-8. Characters that the encoding does not have become `NO_UTF_8`.

    The first bytes of a UTF-16 file may say which byte of each pair comes first. If they do not, it is the lower one.
    """

    def __init__(self, file: BinaryIO, encoding: str) -> None:
        first = file.read(2) if encoding == "utf-16" else b""
        if encoding == "utf-16":
            encoding = "utf-16-be" if first == codecs.BOM_UTF16_BE else "utf-16-le"
        self.file = file
        self._decoder: Any = codecs.getincrementaldecoder(encoding)("replace")
        self._rest = memoryview(self._decoder.decode(first).encode())

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            some = self.file.read(PART)
            text = self._decoder.decode(some, not some)
            self._rest = memoryview(text.encode().replace(UNKNOWN, NO_UTF_8))
            if not some:
                break
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

    def close(self) -> None:
        self.file.close()
        super().close()
