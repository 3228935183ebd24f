"""The list of questions as commands, each with its summary. With it, ``noisewise --help`` need not load the library.

``python -m scripts.registered`` writes it from the registered questions.
"""

# fmt: off
# written by scripts/registered.py
SUMMARIES: dict[str, tuple[str, str]] = {
    "count": ("One column", "Number of records"),
    "count-distinct": ("One column", "Number of different values"),
    "count-interval": ("One column", "Confidence interval for the count that is to be expected, if records come independently of each other, such as accidents in a year"),
    "count-people": ("One column", "Number of different people"),
    "ecdf": ("One column", "Empirical distribution function of a column of numbers"),
    "five-number-summary": ("One column", "Minimum, lower quartile, median, upper quartile and maximum of a column of numbers"),
    "gini": ("One column", "Gini coefficient of a column of numbers that are not negative"),
    "histogram": ("One column", "Histogram: how many records each bin holds"),
    "huber-mean": ("One column", "Huber mean of a column"),
    "iqr": ("One column", "Interquartile range of a column of numbers"),
    "mad": ("One column", "Median absolute deviation"),
    "max": ("One column", "Maximum of a column of numbers"),
    "mean": ("One column", "Mean of a column of numbers, each clamped to the bounds"),
    "mean-interval": ("One column", "Confidence interval for the mean of the population that the records are a sample of"),
    "median": ("One column", "Median of a column of numbers"),
    "median-interval": ("One column", "Confidence interval for the median of the population that the records are a sample of"),
    "min": ("One column", "Minimum of a column of numbers"),
    "most-common": ("One column", "Mode: the most common of the categories you declare, or one that is nearly as common"),
    "private-bounds": ("One column", "Pair of bounds that hold nearly all of a column of numbers"),
    "proportion": ("One column", "Share of the records that are true, in a column of booleans or of zeros and ones"),
    "proportion-interval": ("One column", "Confidence interval for the share that is true, or of one category, in the population that the records are a sample of"),
    "quantile": ("One column", "q-quantile of a column of numbers"),
    "quantile-interval": ("One column", "Confidence interval for a quantile of the population that the records are a sample of"),
    "quantiles": ("One column", "Set of quantiles of a column of numbers, in one release"),
    "range": ("One column", "Range of a column of numbers"),
    "spread": ("One column", "Distance between two quantiles of a column of numbers"),
    "std": ("One column", "Population standard deviation of a column of numbers, each clamped to the bounds"),
    "sum": ("One column", "Sum of a column of numbers, each clamped to the bounds"),
    "trimmed-mean": ("One column", "Mean of a column without the floor(alpha*n) smallest and largest of its n records"),
    "variance": ("One column", "Population variance of a column of numbers, each clamped to the bounds"),
    "winsorized-mean": ("One column", "Winsorized mean of a column"),
    "accuracy": ("Several columns", "Share of the predictions that are right"),
    "auc": ("Several columns", "Area under the ROC curve of the class 1"),
    "covariance": ("Several columns", "Covariance matrix of the columns of a table"),
    "crosstab": ("Several columns", "Cross-tabulation: how many records have each combination of the categories you declare, with totals"),
    "f1": ("Several columns", "F1 score of the class 1, the harmonic mean of precision and recall"),
    "linear-regression": ("Several columns", "Linear regression of y on the columns of X"),
    "log-loss": ("Several columns", "Mean log loss of the probabilities given to the class 1"),
    "mae": ("Several columns", "Mean absolute error"),
    "mse": ("Several columns", "Mean squared error"),
    "pearson": ("Several columns", "Pearson correlation of two columns, each clamped to its bounds"),
    "principal-component": ("Several columns", "First principal component of a table"),
    "r2": ("Several columns", "R²: the share of the variation of y_true that the predictions explain, at least floor"),
    "rate": ("Several columns", "Rate, such as accidents per 1,000 years of driving"),
    "ratio": ("Several columns", "Ratio of two totals, such as spending per visit"),
    "rmse": ("Several columns", "Root of the mean squared error"),
    "spearman": ("Several columns", "Spearman rank correlation of two columns"),
    "theil-sen": ("Several columns", "Theil-Sen slope of y against x"),
    "vector-mean": ("Several columns", "Mean of the rows of a matrix"),
    "weighted-mean": ("Several columns", "Weighted mean of a column of numbers"),
    "degree-quantile": ("Graphs", "q-quantile of the nodes' degrees"),
    "triangles": ("Graphs", "Number of triangles in a graph"),
}
# until here
# fmt: on
"""For each command: its heading in the list of commands, and its summary."""
