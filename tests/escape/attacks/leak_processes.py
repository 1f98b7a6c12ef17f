# class: leaks
# what: sees processes of the host or of other sandboxes in /proc, in the load, in counters, by getpgid and sched calls
# include: attack.py
own = {os.getpid(), os.getppid(), 1}
try:
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in own:
            escaped("sees process %s: %s" % (name, open("/proc/%s/comm" % name).read().strip()))
except OSError as error:
    refused("/proc", error)
numbers = [] if in_session else list(range(2, 1000))
for pid in numbers + [int(params.get("victim_pid", "0") or 0)]:
    if pid in own or pid < 2:
        continue
    for what, function in (("getpgid", os.getpgid), ("getsid", os.getsid), ("affinity", os.sched_getaffinity),
                           ("scheduler", os.sched_getscheduler)):
        try:
            function(pid)
        except PermissionError as error:
            notes.append("%s=EPERM" % what) if len(notes) < 9 else None
        except OSError:
            pass
        else:
            escaped("%s of process %d answers" % (what, pid))
verdict()
