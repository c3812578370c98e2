"""Read the command line of the framework's process, where people put tokens.

Contained: the canary argument is not in the output.
"""

print(open("/proc/@HOST_PID@/cmdline", "rb").read())
