"""Questions that take more than one draw, or whose answers are not single numbers. Each file names its proof.

Read `quantiles` with `tree` first: several quantiles at one price. `histogram`, `crosstab` and `count_distinct` count
in declared categories, and `most_common` picks a category. `vector_answers`, `covariance_matrix` and
`linear_regression` answer with several numbers, `theil_sen_line` with two. `quantile_interval` and
`population_interval` are about the population that the records come from. `key_selection` finds groups, and
`private_bounds` finds bounds. `tied_pairs` puts equal records in an order.

This folder decides how several draws share a price, so privacy depends on it. It imports `questions`. Functions,
datasets and planning import it.
"""
