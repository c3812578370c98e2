"""Print 64 MB.

Contained: the framework's memory does not grow with it.
"""

for _ in range(1024):
    print("x" * 65535)
