"""Counterfactual replay: ask again from a stored conversation in which one tool result is changed."""
