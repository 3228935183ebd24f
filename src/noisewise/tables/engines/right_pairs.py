"""One query counts the pairs of a positive and a negative row in which the positive row has the higher score.

Equal scores of a group are counted together. Bins that rise with the scores divide them among the computers of a
cluster: inside a bin a running sum counts the negative rows up to each score, and the counts of the bins give the pairs
of rows in different bins. The choice of bins divides the work, and changes no result. Proof: docs/proofs/engines.md.
"""

from noisewise.statistics.records import RightPairs
from noisewise.statistics.row_formulas import RowWhole
from noisewise.tables.engines.arithmetic import EngineArithmetic, with_steps
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.engines.engine_records import floored, signless
from noisewise.tables.engines.sums import sums_of_terms

SCALES = (-30, -20, -10, -5, 0, 3, 6, 10, 20, 40)
"""For each of these, the range from -2^scale to 2^scale is divided into bins."""

MOST_BINS = 1 << 20
"""The most bins of all groups together, unless each group has only a few dozen."""
MOST_PARTS = 256

MOST_ROWS = 1 << 45


def right_pairs(
    dialect: Dialect, frame: Frame, positive: RowWhole, truth: Expression, score: str, groups: int
) -> list[RightPairs]:
    """The pairs of each ``group`` of a frame in which nothing is missing, or of all its rows as one group.

    ``positive`` says by the column ``truth`` which rows are positive.
    """
    import narwhals.stable.v2 as nw

    by = EngineArithmetic()
    chosen, scores = positive.formula(by, truth), signless(nw.col(score))
    rows = with_steps(frame, [by]).select("group", scores.alias("score"), chosen.alias("positive"))
    negative = (1.0 - nw.col("positive")).cast(nw.Int64).alias("negative")
    classes = rows.select("group", "score", nw.col("positive").cast(nw.Int64), negative)
    sums = [nw.col(each).sum().cast(nw.Int64).alias(each) for each in ("positive", "negative")]
    each_score = classes.group_by("group", "score").agg(*sums).with_columns(_bin(groups).alias("bin"))
    upto = nw.col("negative").cum_sum().over("group", "bin", order_by="score").cast(nw.Float64)
    below_twice = upto * 2.0 - nw.col("negative").cast(nw.Float64)
    numbers = [nw.col("positive").cast(nw.Float64), nw.col("negative").cast(nw.Float64), below_twice]
    named = [number.alias(f"n{index}") for index, number in enumerate(numbers)]
    parts = each_score.select("group", "bin", *named)
    widths, terms = [MOST_ROWS, MOST_ROWS, 2 * MOST_ROWS], [(0,), (1,), (0, 2)]
    bins = sums_of_terms(dialect, lambda _: parts, widths, terms, by=["group", "bin"])
    pairs = [RightPairs(0, 0, 0)] * groups
    for (group, _), added in sorted(bins.items(), key=lambda each: each[0]):
        below = pairs[group]
        across = 2 * added[(0,)] * below.negatives
        pairs[group] = RightPairs(
            below.positives + added[(0,)],
            below.negatives + added[(1,)],
            below.twice_right + added[(0, 2)] + across,
        )
    return pairs


def _bin(groups: int) -> Expression:
    """The bin of a score: a whole number that never falls as the score rises.

    It is a sum over `SCALES`. Each summand divides the range of its scale into equal parts.
    """
    import narwhals.stable.v2 as nw

    parts = float(max(min(MOST_BINS // (2 * len(SCALES) * groups), MOST_PARTS), 1))
    terms = [floored((nw.col("score") * 2.0**-scale).clip(-1.0, 1.0) * parts) for scale in SCALES]
    return nw.sum_horizontal(*terms).cast(nw.Int64)
