"""Studies: a whole publication in one file, judged, priced, tried out and run as one."""
