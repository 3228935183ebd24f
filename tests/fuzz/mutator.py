"""A small fuzzer: changes inputs, and keeps those that go from a line to another that none has gone to before, or twice
as often as any before.

What is read by an engine takes the same lines of ours whatever it reads. Its targets return features of what came out
instead, such as the shape of a text and what it was read as; an input with a new one is kept as well.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any

import noisewise

LIBRARY = str(Path(noisewise.__file__).parent)
CORPUS = Path(__file__).parent / "corpus"
LONGEST = 4000
STRANGE = [
    *(
        "",
        "0",
        "-1",
        "1/0",
        "1e999999999",
        "9" * 400,
        "NaN",
        "Infinity",
        "-0",
        "0x10",
        "1_000",
        "٣",
        "1e-400",
    ),
    *(
        "\x00",
        "\ud800",
        "\ufeff",
        "\r",
        "\n",
        "\t",
        '"',
        "'",
        "\\",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        ",",
        ".",
        "=",
    ),
    *("null", "true", "not ", " and ", " or ", " in ", "[" * 300, "(" * 300, "{'a':" * 50, "%00", "é", "𝔘"),
    *("2024-02-30", "0000-01-01", "9999-12-31T23:59:59.999999-23:59", "T24:00", "P9999999D", "+14:00"),
]

Target = Callable[[str], Iterable[object] | None]
"""Reads a text; may return features of what came out."""


class Fuzzer:
    """Inputs of one target, by what they reach. All is decided by the seed."""

    def __init__(
        self, name: str, target: Target, words: list[str], seed: int = 0, saved: Path | None = None
    ) -> None:
        self.name, self.target, self.words = name, target, [*words * 5, *STRANGE]
        self.random, self.reached = random.Random(f"{name} {seed}"), set[object]()
        self.kept: list[str] = []
        self.tried = 0
        self.saved = None if saved is None else saved / name
        for text in seeds(CORPUS / name):
            self.run(text)
            self.kept.append(text)
        self.given = list(self.kept)
        if self.saved is not None:
            self.saved.mkdir(parents=True, exist_ok=True)
            self.kept += [text for text in seeds(self.saved) if self.run(text)]

    def fuzz(self, tries: int | None = None, until: float | None = None) -> None:
        """Try so many inputs, or until a moment of ``time.monotonic``."""
        while (tries is None or self.tried < tries) and (until is None or time.monotonic() < until):
            text = self.changed()
            if self.run(text):
                self.kept.append(text)
                self.save(text)

    def save(self, text: str) -> Path | None:
        """Write an input to the folder of what was found, by its hash; None where there is no such folder."""
        if self.saved is None:
            return None
        content = text.encode("utf-8", "surrogatepass")
        file = self.saved / sha256(content).hexdigest()[:16]
        file.write_bytes(content)
        return file

    def run(self, text: str) -> bool:
        """Whether an input reaches something new. What it breaks is raised with it."""
        steps, last = Counter[tuple[int, int]](), 0

        def trace(frame: FrameType, event: str, _argument: Any) -> Any:
            nonlocal last
            if not frame.f_code.co_filename.startswith(LIBRARY):
                return None
            if event == "line":
                line = hash((frame.f_code.co_filename, frame.f_lineno))
                steps[last, line] += 1
                last = line
            return trace

        self.tried += 1
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            features = self.target(text)
        except BaseException as error:
            sys.settrace(before)
            error.add_note(f"fuzzing {self.name}: {text!r}, saved as {self.save(text)}")
            raise
        finally:
            sys.settrace(before)
        here: set[object] = {(*step, times.bit_length()) for step, times in steps.items()}
        here.update(features or ())
        new = not here <= self.reached
        self.reached |= here
        return new

    def changed(self) -> str:
        """One of the inputs kept, or of the corpus, most of which are well written; changed in one to four places."""
        text = self.random.choice(self.random.choice((self.kept, self.given)))
        for _ in range(self.random.choice((1, 1, 1, 2, 4))):
            places = [0, len(text), *(place for place, sign in enumerate(text) if sign in " ,\n&")]
            start = self.random.choice((self.random.randint(0, len(text)), self.random.choice(places)))
            stop = min(len(text), start + self.random.choice((0, 0, 0, 0, 1, 2, 8, 64)))
            with_what = self.random.choice(
                (
                    self.random.choice(self.words),
                    chr(self.random.choice((self.random.randint(32, 126), self.random.randint(0, 0x2FF)))),
                    text[start:stop] * 2,
                    "",
                    self.piece(),
                )
            )
            text = text[:start] + with_what + text[stop:]
        return text[:LONGEST]

    def piece(self) -> str:
        """Some of another input."""
        other = self.random.choice(self.kept)
        start = self.random.randint(0, len(other))
        return other[start : start + self.random.randint(1, 40)]


def seeds(folder: Path) -> list[str]:
    """The inputs in a folder, in the order of their names."""
    files = sorted(folder.iterdir())
    return [file.read_bytes().decode("utf-8", "surrogatepass") for file in files]
