# what: looks at setuid programs and at /proc/sys without starting or writing any of them
# network: none
import os, shutil, stat

for program in ("/bin/su", "/usr/bin/passwd"):
    if os.path.exists(program):
        os.stat(program).st_mode & stat.S_ISUID
shutil.which("sudo")
try:
    open("/proc/sys/kernel/core_pattern").read()
    open("/proc/sys/kernel/osrelease").read()
except OSError:
    pass
print("done")
