"""Audits: how much an answer really tells about one person, measured instead of believed.

`exact` compares the exact probabilities of answers about neighbouring datasets. `every` does so for every question, and
`table` for people with several rows, in groups. `black_box` needs draws only, of this library or of another one. A
violation that an audit reports is certain, or as certain as its confidence. An audit that reports none proves nothing.

Read `exact_audit` and `probabilities` first, then `table_audit` and `black_box_audit`. `checks`, `score_check`,
`engine_check`, `worlds` and `nesting` are the public `noisewise.testing`: checks for your own statistic or engine.

It imports datasets, planning, `hazmat` and the folders below them. The command line and tests may import it.
"""

from noisewise.audit.black_box_audit import Sampled, black_box, sampler
from noisewise.audit.exact_audit import every, exact
from noisewise.audit.result import Audit, Audits
from noisewise.audit.table_audit import table

__all__ = ["Audit", "Audits", "Sampled", "black_box", "every", "exact", "sampler", "table"]
