"""Fill memory with a numpy array.

Contained: the limit of memory holds.
"""

import time

import numpy

hoard = numpy.ones(300 << 17)
time.sleep(0.1)
