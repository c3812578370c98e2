"""Connect over IPv6.

Contained: the listener is not reached.
Needs: ipv6
"""

import socket

socket.create_connection(("::1", int("@TCP6_PORT@")), timeout=1).sendall(b"hello")
