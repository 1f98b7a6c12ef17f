import os

import requests

TOKEN, CHAT = os.environ["TG_TOKEN"], os.environ["TG_CHAT"]
used = os.statvfs("/")
free = used.f_bavail * used.f_frsize / 2**30
if free < 5:
    requests.post("https://api.telegram.org/bot%s/sendMessage" % TOKEN, data={"chat_id": CHAT, "text": "Only %.1f GB left on / of %s" % (free, os.uname().nodename)}, timeout=10)
