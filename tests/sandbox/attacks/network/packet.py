"""Listen to all traffic of the machine.

Contained: no packet socket is made.
Needs: root
"""

import socket

socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
print("@TOKEN@"[::-1])
