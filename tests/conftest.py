"""What every test shares: examples are found without a clock, so that a busy machine fails nothing."""

from hypothesis import settings

settings.register_profile("steady", deadline=None)
settings.load_profile("steady")
