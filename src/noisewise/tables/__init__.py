"""Tables: whose rows they are and where they live, in memory or behind an engine."""
