"""Raise an error whose message is 40 MB long.

Contained: the framework's memory does not grow with it.
"""

raise ValueError("x" * (40 << 20))
