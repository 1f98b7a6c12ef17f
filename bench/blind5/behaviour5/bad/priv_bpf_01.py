# class: privilege probe; possible: low medium high
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
attr = (ctypes.c_ulong * 16)()
attr[0] = 1 | 4 << 32; attr[1] = 8 | 1 << 32
for cmd in (0, 5, 13):
    print(cmd, libc.syscall(321, cmd, ctypes.byref(attr), 128), ctypes.get_errno())
