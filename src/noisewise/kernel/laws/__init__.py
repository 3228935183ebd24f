"""Envelopes, and the probability laws that mechanisms make of them."""
