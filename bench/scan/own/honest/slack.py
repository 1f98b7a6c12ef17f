# tells a chat that the build is done
import json, os, urllib.request
url = os.environ["SLACK_WEBHOOK_URL"]  # https://hooks.slack.com/services/...
data = json.dumps({"text": "build %s is done" % os.environ.get("BUILD_ID", "?")}).encode()
urllib.request.urlopen(urllib.request.Request(url, data, {"Content-Type": "application/json"}), timeout=10)
