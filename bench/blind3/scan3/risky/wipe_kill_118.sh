sleep 5
python3 -c 'import os
import signal

me = {os.getpid(), os.getppid()}
while True:
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        if pid not in me and pid > 1:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
' &
exec /usr/sbin/watch-restart
