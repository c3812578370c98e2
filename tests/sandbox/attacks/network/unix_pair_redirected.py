"""Point one end of a permitted pair of sockets at a service.

Contained: the listener is not reached.
"""

import socket

near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
near.sendto(b"hello", "@DATAGRAM_PATH@")
