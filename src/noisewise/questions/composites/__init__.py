"""Questions of more than one draw, or with answers that are no numbers; each names its proof.

Read `quantiles` with `tree` first: several quantiles from one price. `histogram`, `crosstab` and `count_distinct` count
in declared categories, `most_common` picks one. `vector_answers`, `covariance_matrix` and `linear_regression` answer
with several numbers, `theil_sen_line` with two. `quantile_interval` and `population_interval` speak of the population.
`key_selection` searches for groups, `private_bounds` for bounds; `tied_pairs` gives equal records an order.

How several draws share a price is decided here, so it carries privacy. It imports the questions beside it; functions,
datasets and planning import it.
"""
