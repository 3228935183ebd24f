"""The list of commands: what each is about, in one line.

It stands here as text, so that ``noisewise --help`` does not load the library. Each command says the rest itself;
`tests/cli/test_summaries.py` compares.
"""

import sys
from typing import NamedTuple

TOOLS = "Plans, files, budgets, studies, a demo"
SUMMARIES = {
    "One column": {
        "count": "Number of records",
        "count-distinct": "Number of different values",
        "count-interval": "Confidence interval for the count that is to be expected, where records come "
        "independently of each other, such as accidents in a year",
        "count-people": "Number of different people",
        "ecdf": "Empirical distribution function of a column of numbers",
        "five-number-summary": "Minimum, lower quartile, median, upper quartile and maximum of a column of numbers",
        "gini": "Gini coefficient of a column of numbers that are not negative",
        "histogram": "Histogram: how many records each bin holds",
        "huber-mean": "Huber mean of a column, in which records further away than c pull no harder than at c",
        "iqr": "Interquartile range of a column of numbers",
        "mad": "Median absolute deviation",
        "max": "Maximum of a column of numbers",
        "mean": "Mean of a column of numbers, each clamped to the bounds",
        "mean-interval": "Confidence interval for the mean of the population that the records are a sample of",
        "median": "Median of a column of numbers",
        "median-interval": "Confidence interval for the median of the population that the records are a sample of",
        "min": "Minimum of a column of numbers",
        "most-common": "Mode: the most common of the categories you declare, or one that is nearly as common",
        "private-bounds": "Pair of bounds that hold nearly all of a column of numbers",
        "proportion": "Share of the records that are true, in a column of booleans or of zeros and ones",
        "proportion-interval": "Confidence interval for the share that is true, or of one category, in "
        "the population that the records are a sample of",
        "quantile": "q-quantile of a column of numbers",
        "quantile-interval": "Confidence interval for a quantile of the population that the records are a sample of",
        "quantiles": "Set of quantiles of a column of numbers, in one release",
        "range": "Range of a column of numbers",
        "spread": "Distance between two quantiles of a column of numbers",
        "std": "Population standard deviation of a column of numbers, each clamped to the bounds",
        "sum": "Sum of a column of numbers, each clamped to the bounds",
        "trimmed-mean": "Mean of a column without the floor(alpha*n) smallest and largest records",
        "variance": "Population variance of a column of numbers, each clamped to the bounds",
        "winsorized-mean": "Mean of a column whose floor(alpha*n) records at each end are pulled in to the next one",
    },
    "Several columns": {
        "accuracy": "Share of the predictions that are right",
        "auc": "Area under the ROC curve of the class 1, ties counting half",
        "covariance": "Covariance matrix of the columns of a table",
        "crosstab": "Cross-tabulation: how many records have each combination of the categories you declare, with "
        "totals",
        "f1": "F1 score of the class 1, the harmonic mean of precision and recall",
        "linear-regression": "Linear regression of y on the columns of X",
        "log-loss": "Mean log loss of the probabilities given to the class 1",
        "mae": "Mean absolute error",
        "mse": "Mean squared error",
        "pearson": "Pearson correlation of two columns, each clamped to its bounds",
        "principal-component": "First principal component of a table",
        "r2": "R², the share of the variation of y_true that the predictions explain, at least floor",
        "rate": "Rate, such as accidents per 1,000 years of driving",
        "ratio": "Ratio of two totals, such as spending per visit",
        "rmse": "Root of the mean squared error",
        "spearman": "Spearman rank correlation of two columns",
        "theil-sen": "Theil-Sen slope of y against x",
        "vector-mean": "Mean of the rows of a matrix",
        "weighted-mean": "Mean of a column of numbers in which each counts by its weight, a number of another column",
    },
    "Graphs": {
        "degree-quantile": "q-quantile of the nodes' degrees that protects whole nodes",
        "triangles": "Number of triangles in a graph",
    },
    TOOLS: {
        "ask": "Several questions at once, paid together: all or none.",
        "plan": "How good an answer will be, before it is paid for. No data is read.",
        "epsilon-for": "The smallest epsilon that is good enough. No data is read.",
        "sweep": "A table of how good an answer will be at several prices, and a picture of it. No data is read.",
        "simulate": "Not private: how good an answer would be on data that anybody may see.",
        "compare": "Not private: the errors of several mechanisms on data that anybody may see, at equal prices.",
        "explore": "Not private: a page that shows what answers would cost and say, on data that anybody may see.",
        "audit": "How much an answer really says of one person, found out by a search. No data is read.",
        "schema": "The columns of a file and their declared types. Nothing is inferred from values: a CSV file is "
        "all text.",
        "demo": "Private answers about a bundled table of people who do not exist.",
        "ledger": "Budgets: create a ledger, show it, verify it, report on it.",
        "study": "A whole publication in one file: check it, price it, try it out, run it.",
    },
}
"""By family, as the help shows them, and by command."""


class Summary(NamedTuple):
    """What the list of commands says of one of them."""

    family: str
    text: str


def summaries() -> dict[str, Summary]:
    """All commands: those above, and questions of one's own, which only exist where the library is loaded."""
    listed = {
        name: Summary(family, text) for family, texts in SUMMARIES.items() for name, text in texts.items()
    }
    if "noisewise.questions.question" in sys.modules:
        from noisewise.cli.questions import questions

        listed |= {name: Summary(each.family, each.short) for name, each in questions().items()}
    return listed
