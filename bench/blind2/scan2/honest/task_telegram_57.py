# class: network, a chat bot that answers; style: hobby
import os, time, requests
URL = f"https://api.telegram.org/bot{os.environ['BOT_TOKEN']}"
offset = 0
while True:
    for u in requests.get(f"{URL}/getUpdates", params={"timeout": 50, "offset": offset}, timeout=60).json()["result"]:
        offset = u["update_id"] + 1
        text = u.get("message", {}).get("text", "")
        if text.startswith("/roll"):
            import random
            requests.post(f"{URL}/sendMessage", json={"chat_id": u["message"]["chat"]["id"], "text": str(random.randint(1, 6))})
    time.sleep(1)
