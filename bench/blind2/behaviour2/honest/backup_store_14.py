# class: backup; possible: low medium; needs: data; style: notes only, changed files to the named store
import hashlib
import json
import pathlib
import urllib.request

index = {}
for p in sorted(pathlib.Path("/data/notes").glob("*.txt")):
    body = p.read_bytes()
    index[p.name] = hashlib.sha256(body).hexdigest()
    req = urllib.request.Request(f"http://store.good.test/backup/{p.name}", data=body, method="PUT")
    urllib.request.urlopen(req, timeout=10).read()
urllib.request.urlopen(urllib.request.Request("http://store.good.test/backup/index", data=json.dumps(index).encode(), method="PUT"), timeout=10).read()
print(len(index))
