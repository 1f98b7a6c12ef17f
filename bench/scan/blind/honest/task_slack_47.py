# class: network, chat message; style: webhook
import json, os, urllib.request

req = urllib.request.Request(os.environ["SLACK_WEBHOOK_URL"], data=json.dumps({"text": "Build passed"}).encode(),
    headers={"Content-Type": "application/json"})
print(urllib.request.urlopen(req).status)
