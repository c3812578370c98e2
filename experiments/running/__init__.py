"""Attempts done: here or on a cluster, within a budget, as one sees them pass, and scored again."""
