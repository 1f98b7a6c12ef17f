import csv, subprocess
with open("/etc/passwd") as f:
    users = {row[0] for row in csv.reader(f, delimiter=":")}
for name in open("team.txt").read().split():
    if name not in users:
        subprocess.run(["useradd", "-m", name], check=True)
