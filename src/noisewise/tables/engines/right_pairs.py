"""Pairs of a positive and a negative row that scores put in the right order, counted by one query of an engine.

Equal scores of a group are counted together. Bins that rise with the scores part them among the computers of a cluster:
inside a bin the negative rows up to each score are a running sum, and pairs of different bins follow from the bins'
counts. Which bins there are decides how the work is shared, and nothing else. Proof: docs/proofs/engines.md.
"""

import numpy as np

from noisewise.statistics.records import RightPairs
from noisewise.statistics.row_formulas import RowWhole
from noisewise.tables.engines.arithmetic import EngineArithmetic, with_steps
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.engines.engine_records import floored

SCALES = (-30, -20, -10, -5, 0, 3, 6, 10, 20, 40)
"""Each is the power of two of a range around 0 that is divided into bins."""

MOST_BINS = 1 << 20
"""All groups together have at most so many bins, or a few dozen each."""
MOST_PARTS = 256

LIMB, LIMBS = 17, 3
"""2^45 rows, each with a limb of 17 bits, add up to less than 2^63."""


def right_pairs(
    dialect: Dialect, frame: Frame, positive: RowWhole, truth: Expression, score: str, groups: int
) -> list[RightPairs]:
    """Those of each group, by its index ``group``; ``truth`` is the column that ``positive`` is computed of. Nothing is
    missing in the frame."""
    import narwhals.stable.v2 as nw

    by = EngineArithmetic()
    chosen, s = positive.formula(by, truth), nw.col(score)
    signless = nw.when(s == 0.0).then(nw.lit(0.0)).otherwise(s)  # -0.0 is the same score as 0.0
    rows = with_steps(frame, [by]).select("group", signless.alias("score"), chosen.alias("positive"))
    classes = rows.select(
        "group",
        "score",
        nw.col("positive").cast(nw.Int64),
        (1.0 - nw.col("positive")).cast(nw.Int64).alias("negative"),
    )
    sums = [nw.col(each).sum().cast(nw.Int64).alias(each) for each in ("positive", "negative")]
    scores = classes.group_by("group", "score").agg(*sums).with_columns(_bin(groups).alias("bin"))
    upto = nw.col("negative").cum_sum().over("group", "bin", order_by="score").cast(nw.Float64)
    counted = scores.with_columns((upto * 2.0 - nw.col("negative").cast(nw.Float64)).alias("twice"))
    rests = [floored(nw.col("twice") * 2.0 ** -(LIMB * limb)).alias(f"rest{limb}") for limb in range(LIMBS)]
    names = [f"limb{limb}" for limb in range(LIMBS)]
    limbs = [(nw.col("positive") * _limb(limb)).alias(name) for limb, name in enumerate(names)]
    parts = counted.with_columns(*rests).select("group", "bin", "positive", "negative", *limbs)
    totals = [nw.col(name).sum().cast(nw.Int64).alias(name) for name in names]
    added = parts.group_by("group", "bin").agg(*sums, *totals)
    in_groups, bins, *columns = dialect.arrays(added.select("group", "bin", "positive", "negative", *names))
    order = np.lexsort((bins, in_groups))
    found = [RightPairs(0, 0, 0)] * groups
    for group, *counts in zip(
        in_groups[order].tolist(), *(column[order].tolist() for column in columns), strict=True
    ):
        found[int(group)] = _with_bin(found[int(group)], *map(int, counts))
    return found


def _with_bin(below: RightPairs, positive: int, negative: int, *limbs: int) -> RightPairs:
    """With the next bin, whose scores are above all before; in integers of any size."""
    inside = sum(limb << (LIMB * place) for place, limb in enumerate(limbs))
    across = 2 * positive * below.negatives
    return RightPairs(
        below.positives + positive, below.negatives + negative, below.twice_right + inside + across
    )


def _bin(groups: int) -> Expression:
    """A whole number that never falls as the score rises: a sum of such, each fine in a range of its own."""
    import narwhals.stable.v2 as nw

    parts = float(max(min(MOST_BINS // (2 * len(SCALES) * groups), MOST_PARTS), 1))
    terms = [floored((nw.col("score") * 2.0**-scale).clip(-1.0, 1.0) * parts) for scale in SCALES]
    return nw.sum_horizontal(*terms).cast(nw.Int64)


def _limb(limb: int) -> Expression:
    import narwhals.stable.v2 as nw

    rest = nw.col(f"rest{limb}")
    own = rest if limb == LIMBS - 1 else rest - nw.col(f"rest{limb + 1}") * 2.0**LIMB
    return own.cast(nw.Int64)
