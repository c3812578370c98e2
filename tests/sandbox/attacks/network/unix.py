"""Connect to a service's Unix socket, as that of a container engine.

Contained: the listener is not reached.
"""

import socket

socket.socket(socket.AF_UNIX).connect("@UNIX_PATH@")
