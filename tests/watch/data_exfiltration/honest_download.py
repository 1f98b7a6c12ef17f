# what: fetches much and sends little
# server: http
import http.client, os

c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
for _ in range(40):
    c.request("GET", "/big")
    assert len(c.getresponse().read()) == 1 << 20
print("done")
