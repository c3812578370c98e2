"""Return a list of three million numbers.

Contained: the framework's memory does not grow with it.
"""

list(range(3_000_000))
