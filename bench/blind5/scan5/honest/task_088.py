import ctypes, ctypes.util, time
libm = ctypes.CDLL(ctypes.util.find_library("m")); libm.cbrt.restype = ctypes.c_double; libm.cbrt.argtypes = [ctypes.c_double]
t = time.perf_counter(); s = sum(libm.cbrt(i) for i in range(100000)); print(s, time.perf_counter() - t)
