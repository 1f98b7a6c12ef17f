# class: privilege probe; possible: low medium high
import os
for f, a in ((os.setuid, (0,)), (os.setgid, (0,)), (os.setresuid, (0, 0, 0)), (os.setgroups, ([0],)), (os.chroot, ("/tmp",))):
    try: f(*a); print(f.__name__, "worked")
    except OSError as e: print(f.__name__, e)
