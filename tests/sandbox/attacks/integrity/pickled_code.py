"""Return an object that runs code where it is unpickled.

Contained: no code runs in the framework's process.
"""

import os


class Payload:
    def __reduce__(self):
        return eval, ("print('@TOKEN@'[::-1])",)


os.environ.clear()
Payload()
