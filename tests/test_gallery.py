"""The worked examples run, and the outputs on their pages are what they print."""

import json
import re

import pytest

from scripts.gallery import GALLERY, Example, names

pytestmark = pytest.mark.rest

NAMES = names()


def test_there_are_eleven_and_the_first_page_lists_them():
    listed = re.findall(
        r"^\| \[.*?\]\(([\w-]+)\.md\)", (GALLERY / "index.md").read_text(encoding="utf-8"), re.M
    )
    assert len(NAMES) == 11 and sorted(listed) == NAMES
    kept = {path.stem for path in (GALLERY / "notebooks").glob("*")}
    assert kept == set(NAMES) and sum(path.stat().st_size for path in GALLERY.glob("data/*")) < 300_000


@pytest.mark.parametrize("name", NAMES)
def test_it_runs_and_its_outputs_are_up_to_date(name, capsys):
    example = Example.read(name)
    example.run()
    files = example.files()
    pictures = {f"pictures/{path.name}" for path in (GALLERY / "pictures").glob(f"{name}-[0-9]*.svg")}
    assert pictures == {path for path in files if path.endswith(".svg")} != set(), "each has a picture"
    for path, text in files.items():
        kept = (GALLERY / path).read_text(encoding="utf-8")
        assert kept == text, f"docs/gallery/{path} is out of date: run python scripts/gallery.py {name}"
    page = files[f"{name}.md"]
    assert "What was learnt" in page and "interval" in page and "ε = " in page
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_notebook_with_its_outputs(name):
    notebook = json.loads((GALLERY / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = notebook["cells"]
    ids = [cell["id"] for cell in cells]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", each) for each in ids)
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    shown = [output for cell in code for output in cell["outputs"]]
    assert any("image/svg+xml" in output.get("data", {}) for output in shown)
    assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "raw")


def test_no_release_of_the_library_takes_the_seed():
    """The script replaces the source of bits from outside, and only while it runs."""
    import noisewise as nws

    before = nws.median([1, 2, 3] * 50, bounds=(0, 1_000_000), epsilon=0.01)
    Example("empty").run()
    drawn = {nws.median([1, 2, 3] * 50, bounds=(0, 10**9), epsilon=0.01).value for _ in range(4)}
    assert len(drawn | {before.value}) > 2
