"""Start a connection without waiting for it.

Contained: the listener is not reached.
"""

import socket
import time

caller = socket.socket()
caller.setblocking(False)
caller.connect_ex(("127.0.0.1", int("@TCP_PORT@")))
time.sleep(0.2)
