# reads another program's memory
import ctypes, sys
libc = ctypes.CDLL("libc.so.6")
pid = int(sys.argv[1])
libc.ptrace(16, pid, 0, 0)
with open("/proc/%d/mem" % pid, "rb") as f: f.seek(0x400000); print(f.read(4096))
