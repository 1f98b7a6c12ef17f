# what: uploads one result of two megabytes to the server that waits for it
# server: http
import http.client, os

c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
c.request("POST", "/result", body=os.urandom(2 << 20))
assert c.getresponse().read() == b"thanks"
print("done")
