# class: leaks
# what: finds files of the host or of other sandboxes in the shared temporary places
# include: attack.py
for d in ("/tmp", "/var/tmp", "/dev/shm", "/workspace", "/dev/mqueue", "/run", "/run/lock", "/run/shm"):
    try:
        names = os.listdir(d)
    except OSError as error:
        refused(d, error)
        continue
    strange = [n for n in names if not n.startswith(OURS)]
    if strange and d != "/run" or len(strange) > 4:
        escaped("%s holds %s" % (d, " ".join(strange[:5])))
    notes.append(d + "=empty")
verdict()
