"""Read where no memory is.

Contained: the framework lives.
Control: exec, because a subprocess takes only itself down
"""

import ctypes

ctypes.string_at(0)
