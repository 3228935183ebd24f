"""The Gini coefficient. Read `gini` first; `reach` says how far edits can move it."""
