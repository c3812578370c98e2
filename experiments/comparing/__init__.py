"""Compare a run with another, or with a stored summary: better, worse, no worse, cannot tell."""
