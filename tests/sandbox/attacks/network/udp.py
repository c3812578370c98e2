"""Send a datagram.

Contained: the listener is not reached.
"""

import socket

socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", int("@UDP_PORT@")))
