# class: privilege probe; possible: low medium high; style: ptrace of 1
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
print(libc.ptrace(16, 1, None, None), ctypes.get_errno())
print(libc.ptrace(0x4206, 1, None, None), ctypes.get_errno())
