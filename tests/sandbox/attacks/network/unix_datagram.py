"""Send to a Unix datagram socket, as that of a system log.

Contained: the listener is not reached.
"""

import socket

socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"hello", "@DATAGRAM_PATH@")
