"""Answers gathered elsewhere to problems written elsewhere: read with patience, scored like our own."""
