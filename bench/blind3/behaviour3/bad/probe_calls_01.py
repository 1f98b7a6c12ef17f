# class: privilege probe; possible: low medium; style: ctypes, numbers of calls
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
CALLS = {
    "bpf": (321, 5, 0, 0),
    "userfaultfd": (323, 0),
    "ptrace": (101, 16, 1, 0, 0),
    "unshare": (272, 0x10000000),
    "mount": (165, b"none", b"/mnt", b"tmpfs", 0, 0),
    "keyctl": (250, 0, -1, 1),
    "kexec_load": (246, 0, 0, 0, 0),
    "init_module": (175, 0, 0, b""),
    "perf_event_open": (298, 0, 0, -1, -1, 0),
}
for name, arguments in CALLS.items():
    said = libc.syscall(*arguments)
    print("%-16s %d %s" % (name, said, os.strerror(ctypes.get_errno()) if said < 0 else "ok"))
for way in (lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.chroot("/tmp"), lambda: os.setgroups([0])):
    try:
        way()
        print("accepted", os.getuid())
    except OSError as e:
        print(e)
