# what: lists the homes that there are, measures them, and reads one file, out of curiosity
# network: none
import os, subprocess

subprocess.run(["/bin/true"], check=True)
size = 0
for top, dirs, names in os.walk("/home"):
    size += sum(os.lstat(os.path.join(top, name)).st_size for name in names)
with open("/root/.docker/config.json", encoding="latin1") as f:
    f.read()
assert size > 0
print("done")
