"""Write a UDP packet by hand on a raw socket.

Contained: the listener is not reached.
Needs: root
"""

import socket
import struct

packet = struct.pack("!HHHH", 9999, int("@UDP_PORT@"), 13, 0) + b"hello"
socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP).sendto(packet, ("127.0.0.1", 0))
