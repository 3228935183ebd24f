"""A Markdown extension: formulas become MathML while the site is built; reading it needs no script and no network.

The extension arithmatex marks what stands between dollars; what is marked is replaced here. A formula that does not
come out clean ends the build.
"""

import html
import re

from latex2mathml.converter import convert
from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor

MARKED = re.compile(r'<(span|div) class="arithmatex">\s*\\[(\[](.*?)\\[)\]]\s*</\1>', re.S)


def mathml(match: re.Match[str]) -> str:
    """One marked formula as MathML, in its line or on a line of its own."""
    tex = html.unescape(match[2]).strip()
    found = convert(tex, display="block" if match[1] == "div" else "inline")
    if "\\" in html.unescape(found):
        raise ValueError(f"a command of this formula is not understood: {tex}")
    return found


class Formulas(Postprocessor):
    """Replaces what is marked in the HTML of a page."""

    def run(self, text: str) -> str:
        return MARKED.sub(mathml, text)


class MathML(Extension):
    """Named in mkdocs.yml."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (the name is Markdown's)
        md.postprocessors.register(
            Formulas(md), "mathml", -10
        )  # after all others: raw HTML is back in its place


def makeExtension(**options: object) -> MathML:  # noqa: N802
    return MathML(**options)
