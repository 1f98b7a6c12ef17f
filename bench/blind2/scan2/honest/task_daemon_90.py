# class: processes, the double fork of the books; style: textbook
import os, sys, time
def daemonize(pidfile):
    if os.fork(): os._exit(0)
    os.setsid()
    os.umask(0o022)
    if os.fork(): os._exit(0)
    fd = os.open(os.devnull, os.O_RDWR)
    for i in range(3): os.dup2(fd, i)
    with open(pidfile, "w") as f: f.write(str(os.getpid()))
daemonize("/tmp/clockd.pid")
while True:
    with open("/tmp/clock.txt", "w") as f: f.write(time.ctime() + "\n")
    time.sleep(60)
