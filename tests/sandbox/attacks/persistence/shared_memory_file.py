"""Leave a POSIX shared memory segment.

Contained: the next call does not find it.
"""

open("/dev/shm/@TOKEN@", "w").write("@SECRET@")
# --- the next call ---
print(open("/dev/shm/@TOKEN@").read())
