"""A MkDocs hook: formulas become MathML while the site is built, so that reading it needs no script and no network.

The Markdown extension arithmatex marks what stands between dollars; what is marked is replaced here. A formula that
does not come out clean is a warning, and a warning fails the strict build.
"""

import html
import logging
import re
from typing import Any

from latex2mathml.converter import convert

MARKED = re.compile(r'<(span|div) class="arithmatex">\s*\\[(\[](.*?)\\[)\]]\s*</\1>', re.S)
LOG = logging.getLogger("mkdocs.hooks.mathml")


def mathml(match: re.Match[str]) -> str:
    """One marked formula as MathML, in its line or on a line of its own."""
    tex = html.unescape(match[2]).strip()
    found = convert(tex, display="block" if match[1] == "div" else "inline")
    if "\\" in html.unescape(found):
        LOG.warning("a command of this formula is not understood: %s", tex)
    return found


def on_page_content(content: str, **_: Any) -> str:
    """Called by MkDocs with the HTML of each page."""
    return MARKED.sub(mathml, content)
