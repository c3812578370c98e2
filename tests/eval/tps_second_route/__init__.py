"""Targets of our problems in thermal protection, recomputed without the knowledge base."""
