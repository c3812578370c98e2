"""Read the environment of the framework's process through /proc, which any process of the same user may.

Contained: the key is not in the output.
"""

print(open("/proc/@HOST_PID@/environ", "rb").read())
