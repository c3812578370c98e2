"""Open the kernel's cipher interface, a wide and rarely needed door into the kernel.

Contained: no such socket is made.
Needs: af_alg
"""

import socket

socket.socket(38, socket.SOCK_SEQPACKET)
print("@TOKEN@"[::-1])
