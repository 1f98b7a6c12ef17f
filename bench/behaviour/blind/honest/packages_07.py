# class: package install; possible: low medium; style: like pip, index, wheels, checks, unpack
import hashlib
import io
import json
import pathlib
import urllib.request
import zipfile

base = "http://pkg.good.test"
target = pathlib.Path("/tmp/site")
wanted, done = ["alpha"], set()
while wanted:
    name = wanted.pop()
    if name in done:
        continue
    done.add(name)
    meta = json.load(urllib.request.urlopen(f"{base}/simple/{name}.json"))
    data = urllib.request.urlopen(base + meta["url"]).read()
    assert hashlib.sha256(data).hexdigest() == meta["sha256"]
    zipfile.ZipFile(io.BytesIO(data)).extractall(target)
    wanted += meta["requires"]
print(sorted(done), sum(1 for _ in target.rglob("*.py")))
