"""Envelopes, scores, and laws made of them. Read `envelope` and `law` first, then `score` and `balance_law`."""
