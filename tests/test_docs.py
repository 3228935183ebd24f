"""Every python block of the README and the documentation runs.

The blocks of a page run in order and share one namespace, as a reader would type them, in an empty working directory.
No block can be skipped: text that should not run is fenced as ``text`` or ``pycon``. The pages of the gallery have data
and outputs, so tests/test_gallery.py runs them.
"""

import inspect
import re
import textwrap
from pathlib import Path

import pytest

import noisewise
from noisewise.questions.question import KINDS
from scripts import engines_table
from tests.each_value import each_value

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(
    r"^(?P<indent> *)(?P<ticks>`{3,}) *python\b[^\n]*\n(?P<code>.*?)^(?P=indent)(?P=ticks) *$", re.M | re.S
)


def blocks(text):
    """The code of each block, after as many empty lines that a traceback has the line of the page."""
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start("code"))
        yield "\n" * line + textwrap.dedent(match["code"])


def pages():
    """The path and blocks of every page with a block. `make test` runs the pages that a newcomer reads."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if path.parent.name != "gallery" and (found := list(blocks(path.read_text(encoding="utf-8")))):
            soon = path.parent == ROOT or path.parent.name in ("docs", "tutorial")
            name = path.relative_to(ROOT).as_posix()
            yield pytest.param(path, found, id=name, marks=() if soon else pytest.mark.rest)


PAGES = list(pages())


def test_there_are_pages_to_run():
    assert PAGES, "no page has a python block: either the documentation or the pattern above is broken"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("a\n```python\nx = 1\n```\n", ["\n\nx = 1\n"]),
        ('```python title="one"\nx = 1\n```\n\n```python\nx\n```', ["\nx = 1\n", "\n\n\n\n\nx\n"]),
        ("!!! note\n\n    ```python\n    if x:\n        y\n    ```\n", ["\n\n\nif x:\n    y\n"]),
        ("```pycon\n>>> x\n```\n```text\nx\n```\n", []),
    ],
)
def test_blocks_are_found_where_they_stand(text, codes):
    assert list(blocks(text)) == codes


@pytest.mark.parametrize(("path", "codes"), PAGES)
def test_page_runs(path, codes, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "page"}
    for code in codes:
        exec(compile(code, str(path), "exec"), namespace)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_first_example_asks_about_a_column_of_numbers(page, capsys):
    """The receipt of a list would say that whatever is not a number counts as missing."""
    namespace = {"__name__": "page"}
    exec(next(blocks((ROOT / page).read_text(encoding="utf-8"))), namespace)
    assert "whatever is not a number counts as missing" not in namespace["release"].notes


LINK = re.compile(r"\]\((?!\w+://)([^)#\s]*)(?:#([^)\s]+))?[^)]*\)")
EVERY_PAGE = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
DEAD = "github.com/noisewise", "githubusercontent.com/noisewise"


def anchors(path):
    """The anchors of a page: its headings, as the site spells them, and its explicit anchors."""
    text = re.sub(r"^ *```.*?^ *```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = [
        re.sub(r"\]\([^)]*\)|[^\w\s-]|[^\0-\x7f]", "", title)
        for title in re.findall(r"^#+ +(.*?)\s*$", text, re.M)
    ]
    named = re.findall(r"""\{#([\w-]+)|\bid="([\w-]+)""", text)
    return {re.sub(r"\s", "-", title.strip().lower()) for title in titles} | {"".join(each) for each in named}


@each_value(path=EVERY_PAGE)
def test_links_lead_somewhere_in_a_clone(path):
    for near, anchor in LINK.findall(path.read_text(encoding="utf-8")):
        page = path.parent / near if near else path
        assert page.exists(), f"no {near}"
        of_the_reference = anchor.startswith("noisewise.")  # written by the build, which checks it
        assert not anchor or of_the_reference or anchor in anchors(page), f"no #{anchor} in {page.name}"


def test_no_address_that_does_not_exist_is_named():
    """Receipts had one when the files in tests/kept were written, and these never change."""
    folders = [ROOT / name for name in ("docs", "src", "scripts", "benchmarks", "tests/vectors")]
    files = [
        path
        for path in (*ROOT.glob("*"), *(p for each in folders for p in each.rglob("*")))
        if path.is_file() and path.suffix != ".pyc"
    ]
    assert [path for path in files for dead in DEAD if dead.encode() in path.read_bytes()] == []


def test_the_table_of_what_spark_answers_is_what_questions_can_do():
    page = engines_table.PAGE.read_text(encoding="utf-8")
    assert engines_table.written(page) == page, "run python scripts/engines_table.py"
    assert all(f"`{name}`" in engines_table.table() for name in KINDS)


def test_the_table_of_passes_agrees_on_what_spark_refuses_in_groups():
    page = (ROOT / "docs/concepts/capacity.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| [^|]+ \| ([^|]+) \|$", page, re.M)
    refused = {name: passes == "refused" for names, passes in rows for name in re.findall(r"`(\w+)`", names)}
    streamed = {name: kind.capabilities for name, kind in KINDS.items() if kind.capabilities.streamed}
    assert refused.keys() == streamed.keys(), "each in a row of docs/concepts/capacity.md: count its passes"
    assert refused == {name: not can.batched for name, can in streamed.items()}


def test_the_reference_has_every_public_name_with_its_meaning_and_an_example():
    page = (ROOT / "docs/reference.md").read_text(encoding="utf-8")
    entries, code = set(re.findall(r"^::: .*?(\w+)$", page, re.M)), "\n".join(blocks(page))
    words = set(re.findall(r"\w+", code))
    for name in set(noisewise.__all__) - {"__version__", "bridges"}:
        text = inspect.getdoc(getattr(noisewise, name)) or ""
        assert text, f"{name} says nothing about itself"
        if hasattr(noisewise.errors, name):
            assert f"`{name}`" in page, f"docs/reference.md does not say when {name} is raised"
            continue
        assert name in entries, f"{name} is not in docs/reference.md"
        assert ">>>" in text or name in words, f"{name} has no example"
