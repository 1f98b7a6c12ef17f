# class: git, statistics; style: script
import subprocess, collections, datetime
out = subprocess.run("git log --since='90 days ago' --pretty='%an|%ad' --date=short --numstat", shell=True, text=True, capture_output=True, check=True).stdout
who, lines = None, collections.Counter()
for l in out.splitlines():
    if "|" in l: who = l.split("|")[0]
    elif l.strip():
        a, d, _ = l.split("\t", 2)
        lines[who] += int(a) + int(d) if a != "-" else 0
for w, n in lines.most_common(10): print(f"{n:7d} {w}")
