"""Put a pipe of one's own in the place of every descriptor, then go on as if nothing were.

Contained: the framework lives and its next call is right.
Control: exec, because a subprocess only spoils its own descriptors
"""

import os

read, write = os.pipe()
for descriptor in range(64):
    if descriptor not in (read, write):
        os.dup2(write, descriptor)
