# class: files, sorting of downloads; style: sloppy
import os, shutil
d = os.path.expanduser("~/Downloads")
for f in os.listdir(d):
    e = f.rsplit(".", 1)[-1].lower() if "." in f else "other"
    t = os.path.join(d, e)
    os.makedirs(t, exist_ok=True)
    if os.path.isfile(os.path.join(d, f)):
        shutil.move(os.path.join(d, f), os.path.join(t, f))
