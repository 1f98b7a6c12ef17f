# class: processes, calls libc; style: curious
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.getpid.restype = ctypes.c_int
print(libc.getpid() == os.getpid(), libc.getuid())
class Utsname(ctypes.Structure):
    _fields_ = [(n, ctypes.c_char * 65) for n in ("sysname", "nodename", "release", "version", "machine", "domain")]
u = Utsname(); libc.uname(ctypes.byref(u)); print(u.sysname, u.release)
