import http.client, socket
class UnixConn(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect("/var/run/docker.sock")
c = UnixConn("localhost")
c.request("GET", "/containers/json")
print(c.getresponse().read())
