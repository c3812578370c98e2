"""Start a program with posix_spawn.

Contained: no other program runs.
"""

import os

child = os.posix_spawn("/bin/sleep", ["sleep", "0.4"], {})
os.waitpid(child, 0)
