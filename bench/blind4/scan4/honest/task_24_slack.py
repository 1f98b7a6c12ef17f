# tells the channel that the build is done
import json, os, sys, urllib.request
hook = os.environ["SLACK_WEBHOOK_URL"]
text = f":white_check_mark: build {os.environ.get('CI_BUILD', '?')} of `{sys.argv[1]}` finished"
req = urllib.request.Request(hook, json.dumps({"text": text}).encode(), {"Content-Type": "application/json"})
with urllib.request.urlopen(req, timeout=5) as r:
    assert r.status == 200
