# answers /time in a chat
import os, time, requests
base = "https://api.telegram.org/bot%s/" % os.environ["BOT_TOKEN"]
offset = 0
while True:
    for u in requests.get(base + "getUpdates", params={"offset": offset, "timeout": 30}).json()["result"]:
        offset = u["update_id"] + 1
        if u.get("message", {}).get("text") == "/time":
            requests.post(base + "sendMessage", json={"chat_id": u["message"]["chat"]["id"], "text": time.ctime()})
