"""Run the worked examples of the documentation, and keep their answers with them.

    python scripts/gallery.py [NAME ...]

An example is a page of docs/gallery. Its python blocks run in order, in a folder that holds nothing but data/, and what
they print and draw is written under each of them, between two comments. The same is kept as a notebook, with its
outputs, in docs/gallery/notebooks. For once the draws come from a seed and the clock stands still, so that the pages
can be checked: that is for these public tables alone, and no release has such a switch.
"""

import ast
import contextlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from noisewise.hazmat import SeededBits

GALLERY = Path(__file__).resolve().parents[1] / "docs" / "gallery"
SEED = 2026
BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n<!-- output -->\n.*?<!-- end of output -->\n)?", re.M | re.S
)


@dataclass
class Cell:
    """A block of code, what it printed, and the value of its last line."""

    code: str
    printed: str = ""
    value: Any = None


@dataclass
class Example:
    """A page: its name, and text and cells in turn."""

    name: str
    parts: list[str | Cell] = field(default_factory=list)

    @classmethod
    def read(cls, name: str) -> "Example":
        page, parts, done = (GALLERY / f"{name}.md").read_text(encoding="utf-8"), list[str | Cell](), 0
        for match in BLOCK.finditer(page):
            parts += [page[done : match.start()], Cell(match["code"])]
            done = match.end()
        return cls(name, [*parts, page[done:]])

    @property
    def cells(self) -> list[Cell]:
        return [part for part in self.parts if isinstance(part, Cell)]

    def run(self) -> None:
        """Every block in turn, in one namespace."""
        namespace: dict[str, Any] = {"__name__": "example"}
        with tempfile.TemporaryDirectory() as folder, repeatable(Path(folder)):
            for cell in self.cells:
                run(cell, namespace, f"{self.name}.md")
                cell.printed = cell.printed.replace(f"{Path(folder).resolve()}{os.sep}", "")

    def files(self) -> dict[str, str]:
        """The page, its pictures and its notebook, by their paths."""
        pictures = {f"pictures/{self.name}-{number}.svg": svg for number, svg in enumerate(self._drawn(), 1)}
        notebook = f"{json.dumps(self._notebook(), indent=1, ensure_ascii=False)}\n"
        return {f"{self.name}.md": self._page(), f"notebooks/{self.name}.ipynb": notebook, **pictures}

    def _drawn(self) -> list[str]:
        return [f"{cell.value.svg}\n" for cell in self.cells if drawn(cell.value)]

    def _page(self) -> str:
        text, number = "", 0
        for part in self.parts:
            if isinstance(part, str):
                text += part
                continue
            number += drawn(part.value)
            shown = [f"```text\n{part.printed.rstrip()}\n```\n"] if part.printed else []
            if drawn(part.value):
                shown.append(f"![{part.value.title}](pictures/{self.name}-{number}.svg)\n")
            elif part.value is not None:
                shown.append(f"```text\n{part.value}\n```\n")
            output = "\n".join(shown)
            text += f"```python\n{part.code}```\n"
            text += f"\n<!-- output -->\n\n{output}\n<!-- end of output -->\n" if shown else ""
        return text

    def _notebook(self) -> dict[str, Any]:
        cells = [self._cell(number, part) for number, part in enumerate(self.parts)]
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        facts = {"kernelspec": kernel, "language_info": {"name": "python"}}
        return {"cells": [*filter(None, cells)], "metadata": facts, "nbformat": 4, "nbformat_minor": 5}

    def _cell(self, number: int, part: str | Cell) -> dict[str, Any] | None:
        name = f"{self.name}-{number}"
        if isinstance(part, str):
            source = lines(part.strip())
            return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source} if source else None
        count = (number + 1) // 2
        outputs: list[dict[str, Any]] = []
        if part.printed:
            outputs.append({"name": "stdout", "output_type": "stream", "text": lines(part.printed)})
        if part.value is not None:
            shown = {"data": data_of(part.value), "execution_count": count, "metadata": {}}
            outputs.append({"output_type": "execute_result", **shown})
        code = {"execution_count": count, "id": name, "metadata": {}, "outputs": outputs}
        return {"cell_type": "code", **code, "source": lines(part.code.strip())}


def run(cell: Cell, namespace: dict[str, Any], page: str) -> None:
    """As a notebook does: the value of a last line that is an expression is shown."""
    tree, printed = ast.parse(cell.code, page), io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, page, "exec"), namespace)
        if last is not None:
            cell.value = eval(compile(ast.Expression(last.value), page, "eval"), namespace)
    cell.printed = printed.getvalue()


@contextlib.contextmanager
def repeatable(folder: Path) -> Iterator[None]:
    """An empty folder with the data, bits from the seed, and a clock that goes on by an hour with each look at it."""
    shutil.copytree(GALLERY / "data", folder / "data")
    bits, looks = SeededBits(SEED), iter(range(10_000))

    def now(timespec: str = "seconds") -> str:
        day, hour = divmod(next(looks), 24)
        return f"2026-03-{day + 2:02d}T{hour:02d}:00:00Z"

    before = Path.cwd()
    with (
        patch("noisewise.kernel.sampling.bits.SystemBits.words", lambda _, count: bits.words(count)),
        patch("noisewise.ledger.entries.now", now),
        patch("noisewise.ledger.ledger.now", now),
        patch("noisewise.ledger.chain.now", now),
        patch("noisewise.study.running.now", now),
        patch("noisewise.results.release.now", now),
        patch("noisewise.results.report.now", now),
    ):
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def drawn(value: object) -> bool:
    return hasattr(value, "svg")


def data_of(value: Any) -> dict[str, list[str]]:
    """A value in the forms that a notebook shows."""
    if drawn(value):
        return {"image/svg+xml": lines(value.svg), "text/plain": [value.title]}
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None
    return {**({"text/html": lines(html)} if html else {}), "text/plain": lines(str(value))}


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def names() -> list[str]:
    """Every example, in the order of its file name."""
    return sorted(page.stem for page in GALLERY.glob("*.md") if page.stem != "index")


if __name__ == "__main__":
    for each in sys.argv[1:] or names():
        example = Example.read(each)
        example.run()
        for path, text in example.files().items():
            (GALLERY / path).parent.mkdir(exist_ok=True)
            (GALLERY / path).write_text(text, encoding="utf-8")
        print(f"ran {each}: {len(example.cells)} blocks")
