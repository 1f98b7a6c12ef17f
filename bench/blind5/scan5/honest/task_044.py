import os, tarfile, time
KEEP = 7
stamp = time.strftime("%Y%m%d")
with tarfile.open(f"/backup/www-{stamp}.tar.gz", "w:gz") as t: t.add("/var/www", arcname="www")
old = sorted(f for f in os.listdir("/backup") if f.startswith("www-"))[:-KEEP]
for f in old: os.remove(os.path.join("/backup", f))
