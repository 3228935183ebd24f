"""The picture of the README is what its script draws."""

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"-?\d+\.\d+")


def test_the_picture_is_the_scripts():
    """To a tenth of a point or two: the last digit may depend on the machine's exponential."""
    kept = (ROOT / "docs" / "picture.svg").read_text(encoding="utf-8").strip()
    drawn = runpy.run_path(str(ROOT / "scripts" / "picture.py"))["picture"]()
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert NUMBER.sub("", drawn) == NUMBER.sub("", kept)
    numbers = [[float(n) for n in NUMBER.findall(svg)] for svg in (drawn, kept)]
    assert max(abs(a - b) for a, b in zip(*numbers, strict=True)) < 0.25
