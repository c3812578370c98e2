"""Send many datagrams with one system call.

Contained: the listener is not reached.
"""

import socket

caller = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
caller.sendmsg([b"hello"], [], 0, ("127.0.0.1", int("@UDP_PORT@")))
