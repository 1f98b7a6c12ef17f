# what: builds a report with shell commands, then uploads it over a connection made afterwards
# server: http
import http.client, os, subprocess

report = subprocess.run("for i in 1 2 3; do echo line $i | sort; done; ls /usr | wc -l", shell=True,
                        capture_output=True).stdout
c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
c.request("POST", "/result", body=report)
assert c.getresponse().read() == b"thanks"
print("done")
