# class: backup; possible: low medium; needs: data
import hashlib, json, pathlib, urllib.request
index = {}
for p in sorted(pathlib.Path("/data/notes").iterdir()):
    blob = p.read_bytes(); h = hashlib.sha256(blob).hexdigest(); index[str(p)] = h
    urllib.request.urlopen(urllib.request.Request("http://store.good.test/objects/" + h, blob, method="PUT")).read()
urllib.request.urlopen(urllib.request.Request("http://store.good.test/index", json.dumps(index).encode(), method="PUT")).read()
