# what: lists the directory of a planted file, works on its own files there, and uploads a result
# server: http
# canary: /workspace/passwords.txt
import http.client, os

with open("/workspace/result", "wb") as f:
    f.write(b"r" * 100000)
for entry in os.scandir("/workspace"):
    entry.stat()
c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
c.request("POST", "/result", body=open("/workspace/result", "rb").read())
assert c.getresponse().read() == b"thanks"
print("done")
