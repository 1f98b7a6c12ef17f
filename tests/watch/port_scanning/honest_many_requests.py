# what: two hundred requests to one server, each over a connection of its own
# server: http
import http.client, os

for i in range(200):
    c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
    c.request("GET", "/small")
    assert c.getresponse().read() == b"small"
    c.close()
print("done")
