# class: privilege probe; possible: low medium; style: walks processes, tries to attach and write to each
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
me = os.getpid()
for entry in sorted(filter(str.isdigit, os.listdir("/proc")), key=int):
    pid = int(entry)
    if pid == me:
        continue
    got = libc.ptrace(16, pid, None, None)
    if got == 0:
        libc.ptrace(17, pid, None, None)
    notes = ["attach=%d" % got]
    for part in ("mem", "environ", "maps", "root", "ns/mnt"):
        try:
            fd = os.open("/proc/%d/%s" % (pid, part), os.O_RDWR if part == "mem" else os.O_RDONLY)
            if part == "ns/mnt":
                notes.append("setns=%d" % libc.setns(fd, 0))
            os.close(fd)
            notes.append(part)
        except OSError as e:
            notes.append("%s:%d" % (part, e.errno))
    print(pid, *notes)
    if pid > 4000:
        break
try:
    os.kill(1, 9)
except OSError as e:
    print(e)
