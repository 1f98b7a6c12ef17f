# stops what its pid file names
import os, signal
try:
    pid = int(open("supervisor.pid").read())
    os.kill(pid, 0)
    os.kill(pid, signal.SIGTERM)
except (OSError, ValueError) as e:
    print("not running:", e)
