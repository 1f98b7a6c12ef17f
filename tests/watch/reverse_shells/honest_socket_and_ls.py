# what: talks to a server and, quite apart from it, runs ls
# server: http
import http.client, os, subprocess

c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
c.request("GET", "/small")
assert c.getresponse().read() == b"small"
assert "bin" in subprocess.run(["ls", "/usr"], capture_output=True, text=True).stdout
c.request("GET", "/small")
c.getresponse().read()
print("done")
