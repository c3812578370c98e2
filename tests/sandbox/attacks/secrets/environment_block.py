"""Read the process's first environment block, which os.environ.clear() does not touch.

Contained: the key is not in the output.
"""

import ctypes

environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
index = 0
while environ and environ[index]:
    print(environ[index])
    index += 1
print(open("/proc/self/environ").read())
