import os
import sys
import time

import httpx
from dotenv import load_dotenv

load_dotenv()
BASE = "https://api.tickets.example/v2"
TOKEN = os.environ.get("TICKETS_TOKEN") or sys.exit("set TICKETS_TOKEN first")


def pages(client, path, **params):
    page = 1
    while True:
        r = client.get(path, params={**params, "page": page})
        if r.status_code == 429:
            time.sleep(int(r.headers.get("Retry-After", 5)))
            continue
        r.raise_for_status()
        rows = r.json()["items"]
        if not rows:
            return
        yield from rows
        page += 1


with httpx.Client(base_url=BASE, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=20) as c:
    late = [t for t in pages(c, "/tickets", status="open") if t["age_days"] > 14]
    for t in sorted(late, key=lambda t: -t["age_days"]):
        print(f"{t['id']:>6} {t['age_days']:>4}d {t['title'][:60]}")
    print(len(late), "old tickets")
