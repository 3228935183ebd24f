"""The Gini coefficient."""
