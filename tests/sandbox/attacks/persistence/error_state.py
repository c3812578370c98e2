"""Leave numpy in another mode, in which the next call computes otherwise.

Contained: the next call finds numpy as it was.
Control: exec, because a fresh interpreter has a fresh numpy
"""

import numpy

numpy.set_printoptions(formatter={"all": lambda _: "@SECRET@"})
# --- the next call ---
import numpy

print(numpy.array([1.0]))
