"""How good an answer will be, before it is paid for."""
