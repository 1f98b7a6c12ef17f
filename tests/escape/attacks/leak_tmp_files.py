# class: leaks
# what: finds files of the host or of other sandboxes in the shared temporary places
# include: attack.py
brought = {"attack", "params", "leak_tmp_files"} if "ATTACK_DIR" in os.environ else set()
for d in ("/tmp", "/var/tmp", "/dev/shm", "/workspace", "/dev/mqueue", "/run", "/run/lock", "/run/shm"):
    try:
        names = os.listdir(d)
    except OSError as error:
        refused(d, error)
        continue
    strange = [n for n in names if not n.startswith(OURS) and n not in brought]
    if strange and d != "/run" or len(strange) > 4:
        escaped("%s holds %s" % (d, " ".join(strange[:5])))
    notes.append(d + "=empty")
verdict()
