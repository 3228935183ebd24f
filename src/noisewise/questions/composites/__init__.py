"""Releases that are more than one statistic drawn once: several draws, or answers that are no numbers."""
