# what: downloads a file over HTTP and computes on it for a while, with the connection kept open
# server: http
import hashlib, http.client, os, time, zlib

c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
c.request("GET", "/big")
data = c.getresponse().read()
assert len(data) == 1 << 20, len(data)
is_child = any(os.fork() == 0 for _ in range(os.cpu_count() - 1))  # any() stops a child from forking on
until = time.monotonic() + 1.5
while time.monotonic() < until:
    hashlib.sha256(data).digest()
    zlib.compress(data[:65536])
if not is_child:
    c.request("GET", "/small")
    c.getresponse().read()
    print("done")
