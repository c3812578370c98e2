"""Estimates before the first request: requests, time, cost and detectable differences of a study."""
