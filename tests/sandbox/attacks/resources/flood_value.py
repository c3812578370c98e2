"""Return a value of 60 MB.

Contained: the framework's memory does not grow with it.
"""

"x" * (60 << 20)
