"""Connect to a service on this machine.

Contained: the listener is not reached.
"""

import socket

socket.create_connection(("127.0.0.1", int("@TCP_PORT@")), timeout=1).sendall(b"hello")
