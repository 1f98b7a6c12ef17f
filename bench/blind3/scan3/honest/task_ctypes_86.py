import ctypes
import ctypes.util
import pathlib
import subprocess

pathlib.Path("fast.c").write_text("double dot(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }\n")
subprocess.check_call(["gcc", "-O3", "-shared", "-fPIC", "-o", "libfast.so", "fast.c"])
lib = ctypes.CDLL("./libfast.so")
lib.dot.restype = ctypes.c_double
a = (ctypes.c_double * 1000)(*range(1000))
print(lib.dot(a, a, 1000))
libc = ctypes.CDLL(ctypes.util.find_library("c"))
libc.printf(b"pid %d\n", libc.getpid())
