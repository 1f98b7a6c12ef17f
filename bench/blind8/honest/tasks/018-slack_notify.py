import json
import os
import subprocess
import sys
import time
import urllib.request


def notify(ok, secs, tail):
    url = os.environ.get("SLACK_WEBHOOK_URL")
    if not url:
        return
    text = f"{'✅' if ok else '❌'} `{' '.join(sys.argv[1:])}` in {secs:.0f}s"
    if not ok:
        text += f"\n```{tail[-800:]}```"
    req = urllib.request.Request(url, json.dumps({"text": text}).encode(), {"Content-Type": "application/json"})
    urllib.request.urlopen(req, timeout=10)


t = time.monotonic()
p = subprocess.run(sys.argv[1:], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
sys.stdout.write(p.stdout)
notify(p.returncode == 0, time.monotonic() - t, p.stdout)
sys.exit(p.returncode)
