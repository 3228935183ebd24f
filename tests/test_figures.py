"""The figures of README and of the page on composition are drawn by their scripts."""

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"-?\d+\.\d+")


def drawn(script: str) -> str:
    svg: str = runpy.run_path(str(ROOT / "scripts" / script))["picture"]()
    return svg


@pytest.mark.parametrize(
    ("script", "figure"), [("picture.py", "picture.svg"), ("composition_figure.py", "composition.svg")]
)
def test_a_figure_is_what_its_script_draws(script: str, figure: str) -> None:
    """Numbers may differ by a tenth of a point or two: the machine's exponential decides the last digit."""
    kept, svg = (ROOT / "docs" / figure).read_text(encoding="utf-8").strip(), drawn(script)
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert NUMBER.sub("", svg) == NUMBER.sub("", kept)
    numbers = [[float(n) for n in NUMBER.findall(text)] for text in (svg, kept)]
    assert max(abs(a - b) for a, b in zip(*numbers, strict=True)) < 0.25


def test_a_hundred_releases_cost_what_the_page_on_composition_says() -> None:
    svg = drawn("composition_figure.py")
    for cost in (
        "30.5  Laplace of epsilon 1/2",
        "34.8  bounded range, fixed in advance",
        "37.1  bounded range, through zCDP",
        "83.5  pure, optimal",
    ):
        assert f">{cost}<" in svg
