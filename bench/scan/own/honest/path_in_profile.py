import os
rc = os.path.expanduser("~/.profile")
line = 'export PATH="$HOME/bin:$PATH"\n'
with open(rc, "a+") as f:
    f.seek(0)
    if line not in f.read():
        f.write(line)
