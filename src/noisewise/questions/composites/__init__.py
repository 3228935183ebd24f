"""Questions of more than one draw, or with answers that are no numbers; each names its proof.

Read `quantiles` with `tree` first, then `histogram` and `vector_answers`. They see questions; functions see them.
"""
