"""The figure of the page on composition is what its script draws, and says the numbers that the page quotes."""

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"-?\d+\.\d+")


@pytest.fixture(scope="module")
def drawn() -> str:
    return runpy.run_path(str(ROOT / "scripts" / "composition_figure.py"))["picture"]()


def test_the_figure_is_the_scripts(drawn: str) -> None:
    kept = (ROOT / "docs" / "composition.svg").read_text(encoding="utf-8").strip()
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert NUMBER.sub("", drawn) == NUMBER.sub("", kept)
    numbers = [[float(n) for n in NUMBER.findall(svg)] for svg in (drawn, kept)]
    assert max(abs(a - b) for a, b in zip(*numbers, strict=True)) < 0.25


def test_a_hundred_releases_cost_what_the_page_says(drawn: str) -> None:
    for cost in (
        "30.5  Laplace of epsilon 1/2",
        "34.8  bounded range, fixed in advance",
        "37.1  bounded range, through zCDP",
        "83.5  pure, optimal",
    ):
        assert f">{cost}<" in drawn
