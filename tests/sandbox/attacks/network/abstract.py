"""Connect to an abstract Unix socket, which no file system guards.

Contained: the listener is not reached.
"""

import socket

socket.socket(socket.AF_UNIX).connect("\0@ABSTRACT_NAME@")
