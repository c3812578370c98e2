"""Make a file in the shared memory folder.

Contained: no file appears there.
"""

open("/dev/shm/@TOKEN@", "w").write("planted")
