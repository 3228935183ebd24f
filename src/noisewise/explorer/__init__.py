"""The explorer: a page on one's own computer that shows what a question would cost and say, on public data."""
