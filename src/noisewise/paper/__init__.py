"""The paper and its relatives by their own names. No answer is released by them.

Read `density` first: the continuous density of the paper, and `radial` in many dimensions. `family` lists other
mechanisms of the literature as laws to compare with: two by `local_sensitivity`, `above_threshold`,
`shifted_inverse_table` and `subset_wrapper`. `comparison_law` says their errors and refuses to draw.

It imports questions and what stands below them. Planning, the public names and tests may import it.
"""
