"""Let a library read the file.

Contained: the file's canary is not in the output.
"""

import numpy

print(bytes(numpy.fromfile("@OUTSIDE@/read.txt", dtype=numpy.uint8)))
