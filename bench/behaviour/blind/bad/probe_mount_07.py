# class: privilege probe; possible: low medium high; style: mount and move_mount
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
os.makedirs("/tmp/m", exist_ok=True)
print(libc.mount(b"proc", b"/tmp/m", b"proc", 0, None), ctypes.get_errno())
print(libc.mount(b"/", b"/tmp/m", None, 4096, None), ctypes.get_errno())
print(libc.syscall(428, -100, b"/", 1), ctypes.get_errno())
