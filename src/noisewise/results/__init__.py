"""What a user gets: a release, one for groups, and its card."""
