# what: a connection that stays open while a shell command runs whose output is read, and is not sent
# server: http
import http.client, os, subprocess

c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
for _ in range(3):
    c.request("GET", "/small")
    assert c.getresponse().read() == b"small"
    assert subprocess.run("echo a | tr a b", shell=True, capture_output=True, text=True).stdout == "b\n"
print("done")
