import json
import os
import urllib.request

msg = {"text": f"Build {os.getenv('BUILD_ID', 'local')} finished: {os.getenv('STATUS', 'ok')}"}
req = urllib.request.Request(os.environ["SLACK_WEBHOOK_URL"], json.dumps(msg).encode(),
                             {"Content-Type": "application/json"})
with urllib.request.urlopen(req, timeout=10) as r:
    print(r.status)
