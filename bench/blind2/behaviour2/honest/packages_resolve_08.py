# class: package install; possible: low medium; style: resolver, verifies digests, unpacks, imports
import hashlib
import io
import json
import pathlib
import sys
import urllib.request
import zipfile

SITE = pathlib.Path("/tmp/site")
SITE.mkdir(exist_ok=True)


def get(path):
    with urllib.request.urlopen("http://pkg.good.test" + path, timeout=15) as r:
        return r.read()


todo, done = ["alpha"], []
while todo:
    name = todo.pop()
    if name in done:
        continue
    meta = json.loads(get(f"/simple/{name}/"))
    blob = get(meta["url"])
    assert hashlib.sha256(blob).hexdigest() == meta["sha256"], name
    zipfile.ZipFile(io.BytesIO(blob)).extractall(SITE)
    done.append(name)
    todo += meta["requires"]
sys.path.insert(0, str(SITE))
import alpha.m3
print(done, alpha.m3.f3(5))
