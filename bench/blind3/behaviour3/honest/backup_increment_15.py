# class: backup; possible: low medium; needs: data; style: chunks by content, manifest, PUT to the store
import hashlib
import json
import os
import urllib.request
import zlib

STORE = "http://store.good.test/backup/"


def put(name, data):
    try:
        urllib.request.urlopen(urllib.request.Request(STORE + name, data, method="PUT"), timeout=10).read()
        return True
    except OSError as e:
        print(name, e)
        return False


manifest, sent = {}, set()
for top, dirs, names in os.walk("/data"):
    dirs.sort()
    for name in sorted(names):
        path, parts = os.path.join(top, name), []
        with open(path, "rb") as f:
            while chunk := f.read(65536):
                digest = hashlib.sha256(chunk).hexdigest()
                parts.append(digest)
                if digest not in sent and put("chunks/" + digest, zlib.compress(chunk)):
                    sent.add(digest)
        manifest[path] = {"size": os.path.getsize(path), "chunks": parts}
put("manifest.json", json.dumps(manifest, indent=1).encode())
print(len(manifest), "files", len(sent), "chunks")
