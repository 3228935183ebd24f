"""Means without the extremes: trimmed and winsorized ones, and what many groups share (`trimming`)."""
