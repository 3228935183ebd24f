"""A page of HTML in one file: no scripts, nothing fetched, readable on a phone, in the dark and on paper."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from noisewise.results.pictures.html import Markup
from noisewise.results.pictures.svg import STYLE as PICTURES
from noisewise.results.pictures.svg import quoted

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Tells a browser to run no script and to fetch nothing, whatever the page holds."""

STYLE = """
:root{color-scheme:light dark;--ink:#1c2128;--quiet:#57606a;--paper:#fff;--line:#e3e7eb;--rule:#7f8893;--soft:#f5f7f9;
--good:#0b7261;--bad:#b3261e}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e9ecef;--quiet:#a9b3be;--paper:#14181d;--line:#2b323a;
--rule:#6b7580;--soft:#1c2229;--good:#4fc3ab;--bad:#ff8a80}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif;
color:var(--ink);background:var(--paper);margin:0 auto;max-width:720px;padding:28px 16px}
h1{font-size:28px;line-height:1.2;margin:0 0 8px}h2{font-size:20px;margin:48px 0 12px}
h3{font-size:16px;margin:28px 0 8px;overflow-wrap:anywhere}h4{font-size:14px;margin:16px 0 4px}
p,ul{margin:8px 0;max-width:66ch;overflow-wrap:anywhere}.quiet,figcaption{color:var(--quiet);font-size:14px}
.lead{color:var(--quiet)}.kicker{color:var(--good);font-size:14px;font-weight:650;margin:0}
.answer{font-size:20px;font-weight:650}.strong{font-weight:650}
table{max-width:100%;border-collapse:collapse;font-size:14px;margin:12px 0;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:6px 16px 6px 0;border-bottom:1px solid var(--line)}
thead th{color:var(--quiet);border-bottom-color:var(--rule)}td{overflow-wrap:break-word}
.summary td:first-child,.summary td:nth-child(3){font-weight:650}
.facts th{white-space:nowrap;font-weight:600;color:var(--quiet)}
.cards table{font-size:12px}.cards th,.cards td{padding:1px 10px 1px 0}
.number{text-align:right;padding:6px 12px 6px 0;white-space:nowrap}.summary .number{padding:6px 0 6px 12px}
.entries td:nth-child(2){white-space:nowrap}
figure{margin:8px 0}figure svg{display:block}
.promise,.blank,.failed,.verified{border-left:4px solid var(--rule);background:var(--soft);padding:8px 12px}
.blank{border-left-style:dashed;min-height:3rem}.failed{border-color:var(--bad);font-weight:600}
.verified{border-color:var(--good)}
details summary{cursor:pointer;color:var(--quiet);font-size:14px;padding:6px 0}
summary:focus-visible{outline:3px solid var(--rule)}section{margin-bottom:16px}
@media(max-width:600px){.summary thead{display:none}.summary,.summary tbody{display:block}
.summary tr{display:block;padding:8px 0;border-bottom:1px solid var(--rule)}.summary td:empty{display:none}
.summary td,.summary .number{display:block;border:0;padding:0;text-align:left}
.summary .number::before{content:attr(data-label) ": ";color:var(--quiet);font-weight:400}
table:not(.summary){display:block;overflow-x:auto}}
@media print{body{max-width:none;font-size:11pt;padding:0}
details:not([open])::details-content{content-visibility:visible}
h2,h3,h4{break-after:avoid}figure,tr,.promise,.blank{break-inside:avoid}}
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
    def of(cls, title: str, parts: Iterable[Markup], subtitle: str = "") -> "Page":
        """Make a page of parts. The style of their pictures stands in it once."""
        head = (
            f'<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta http-equiv="Content-Security-Policy" content="{quoted(POLICY)}">'
            f"<title>{quoted(title)}</title><style>{STYLE}</style>{PICTURES}"
        )
        lead = f'<p class="lead">{quoted(subtitle)}</p>' if subtitle else ""
        inside = "".join(parts).replace(PICTURES, "")
        kicker = '<p class="kicker">Published with differential privacy</p>' if subtitle else ""
        body = f"<main>{kicker}<h1>{quoted(title)}</h1>{lead}{inside}</main>"
        return cls(
            f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n', title
        )

    def __repr__(self) -> str:
        return f"<Page: {self.title}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)
