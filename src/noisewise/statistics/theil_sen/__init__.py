"""The median slope of all pairs of rows. Read `theil_sen` first; `slopes` finds ranks without listing all slopes."""
