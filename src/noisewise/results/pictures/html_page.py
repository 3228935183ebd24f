"""A page of HTML in one file: no scripts, nothing fetched, readable on a phone, in the dark and on paper."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from noisewise.results.pictures.html import Markup
from noisewise.results.pictures.svg import quoted

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Tells a browser to run no script and to fetch nothing, whatever the page holds."""

STYLE = """
:root{color-scheme:light dark;--ink:#1d2129;--quiet:#555b66;--paper:#fff;--line:#d5d8de;--mark:#b35900;--soft:#f5f6f8}
@media(prefers-color-scheme:dark){:root{--ink:#e8e8ee;--quiet:#b4b8c4;--paper:#16181d;--line:#3a3e47;--mark:#f0a040;
--soft:#1f2229}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:0 auto;
max-width:52rem;padding:1rem}
h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.3rem;border-bottom:2px solid var(--line);margin-top:2.2rem}
h3{font-size:1.1rem;margin-top:1.6rem;overflow-wrap:anywhere}h4{font-size:1rem}
p{margin:.5rem 0;overflow-wrap:anywhere}.quiet{color:var(--quiet);font-size:.9rem}
.answer{font-size:1.25rem;font-weight:600}
table{border-collapse:collapse;font-size:.9rem;margin:.6rem 0;display:block;overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:.2rem .7rem .2rem 0;border-bottom:1px solid var(--line)}
td{overflow-wrap:anywhere}.facts th{white-space:nowrap;font-weight:600;color:var(--quiet)}
.cards table{font-size:.78rem}.cards th,.cards td{padding:.05rem .6rem .05rem 0}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
figure{margin:.6rem 0;max-width:630px}
.promise,.blank,.failed{border-left:4px solid var(--mark);background:var(--soft);padding:.4rem .8rem}
.blank{border-left-style:dashed;min-height:3rem}.failed{border-color:#c00;font-weight:600}
details summary{cursor:pointer;color:var(--quiet)}section{margin-bottom:1.5rem}
@media print{:root{--ink:#000;--quiet:#333;--paper:#fff;--line:#bbb;--mark:#000;--soft:#fff}
body{max-width:none;font-size:11pt}
h2,h3,h4{break-after:avoid}figure,tr,.promise,.blank{break-inside:avoid}table{display:table}}
"""


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """A page to file, print or publish.

    Attributes:
        html: The whole file.
        title: What it is about.
    """

    html: str
    title: str

    @classmethod
    def of(cls, title: str, parts: Iterable[Markup]) -> "Page":
        head = (
            f'<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta http-equiv="Content-Security-Policy" content="{quoted(POLICY)}">'
            f"<title>{quoted(title)}</title><style>{STYLE}</style>"
        )
        body = f"<main><h1>{quoted(title)}</h1>{''.join(parts)}</main>"
        return cls(
            f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n', title
        )

    def __repr__(self) -> str:
        return f"<Page: {self.title}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)
