"""Open a module of the standard library for writing, to change it for every later program.

Contained: the library cannot be opened for writing.
Needs: root
"""

import json

open(json.__file__, "ab").close()
print("@TOKEN@"[::-1])
