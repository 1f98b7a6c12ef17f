#!/usr/bin/env python3
# usage: tracer.py PID -- prints the regs, then patches the insn at rip
import ctypes, ctypes.util, os, sys

libc = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
ATTACH, DETACH, GETREGS, POKETEXT = 16, 17, 12, 4

class regs(ctypes.Structure):
	_fields_ = [(n, ctypes.c_ulonglong) for n in
		"r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss "
		"fs_base gs_base ds es fs gs".split()]

def main():
	pid = int(sys.argv[1])
	code = open(sys.argv[2], "rb").read()
	if libc.ptrace(ATTACH, pid, None, None) < 0:
		sys.exit(os.strerror(ctypes.get_errno()))
	os.waitpid(pid, 0)
	r = regs()
	libc.ptrace(GETREGS, pid, None, ctypes.byref(r))
	print("rip %x rsp %x" % (r.rip, r.rsp))
	for i in range(0, len(code), 8):
		w = int.from_bytes(code[i:i + 8].ljust(8, b"\x90"), "little")
		libc.ptrace(POKETEXT, pid, r.rip + i, w)
	libc.ptrace(DETACH, pid, None, None)

main()
