"""Connect by sending: no connect call is made.

Contained: the listener is not reached.
"""

import socket
import time

caller = socket.socket()
caller.sendto(b"hello", 0x20000000, ("127.0.0.1", int("@TCP_PORT@")))
time.sleep(0.1)
