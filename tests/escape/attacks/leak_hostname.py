# class: leaks
# what: learns the host's name from uname, gethostname, /etc/hostname, /etc/hosts and /proc/sys/kernel
# include: attack.py
import socket

real = params.get("host_hostname", "")
if not real:
    contained("the host's name was not given")
found = {"uname": os.uname().nodename, "gethostname": socket.gethostname()}
for path in ("/etc/hostname", "/etc/hosts", "/proc/sys/kernel/hostname", "/etc/mailname", "/run/hostname"):
    try:
        with open(path) as f:
            found[path] = f.read()
    except OSError as error:
        refused(path, error)
for where, text in found.items():
    if real in text.split():
        escaped("%s tells the host's name %s" % (where, real))
verdict()
