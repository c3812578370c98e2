"""Answers with one planted fault each, and clean ones, with the marks they deserve."""
