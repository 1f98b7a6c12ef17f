# what: looks up its own user, as any client does, reads its data, and asks a server
# server: http
# volume: report.csv
import getpass, http.client, os, pwd

os.path.expanduser("~root"), pwd.getpwall(), getpass.getuser
with open("/data/report.csv", "rb") as f:
    report = f.read()
c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
c.request("POST", "/result", body=report)
assert c.getresponse().read() == b"thanks"
print("done")
