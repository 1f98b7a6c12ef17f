# class: privilege probe; possible: low medium high; style: ctypes
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
attr = (ctypes.c_char * 128)()
attr[0] = 2
for _ in range(3):
    print(libc.syscall(321, 0, ctypes.byref(attr), 72), ctypes.get_errno())
