"""Audits: how much an answer really says of one person, found out instead of believed.

`exact` searches neighbouring datasets with exact probabilities, `every` does so for all questions there are, and
`table` for people with rows in groups. `black_box` draws from anything that can be drawn from, of this library or of
another. An audit that finds a violation is right; one that finds none has found none, and is no proof.

Read `exact_audit` and `probabilities` first, then `table_audit` and `black_box_audit`. `checks`, `score_check` and
`engine_check`, with `worlds`, `judge` and `nesting`, are the public `noisewise.testing`: checks for a statistic or an
engine of one's own.

It imports datasets, planning, `hazmat` and what stands below them. The command line and tests may import it.
"""

from noisewise.audit.black_box_audit import Sampled, black_box, sampler
from noisewise.audit.exact_audit import every, exact
from noisewise.audit.result import Audit, Audits
from noisewise.audit.table_audit import table

__all__ = ["Audit", "Audits", "Sampled", "black_box", "every", "exact", "sampler", "table"]
