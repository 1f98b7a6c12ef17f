import requests

s = requests.Session()
page = s.get("https://wiki.example.org/login", timeout=10)
token = page.text.split('name="csrf" value="', 1)[1].split('"', 1)[0]
answer = s.post("https://wiki.example.org/login", data={"user": "bot", "password": open("bot.password").read().strip(), "csrf": token})
answer.raise_for_status()
export = s.get("https://wiki.example.org/export?format=zip", stream=True, timeout=60)
with open("wiki.zip", "wb") as f:
    for block in export.iter_content(1 << 16):
        f.write(block)
