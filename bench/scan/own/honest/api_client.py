# pages through an API with a token from the environment
import os, time
import requests

session = requests.Session()
session.headers["Authorization"] = "Bearer " + os.environ["API_TOKEN"]

def items():
    url = "https://api.example.com/v1/items?page=1"
    while url:
        r = session.get(url, timeout=10)
        if r.status_code == 429:
            time.sleep(int(r.headers.get("Retry-After", 1)))
            continue
        r.raise_for_status()
        yield from r.json()["items"]
        url = r.links.get("next", {}).get("url")

for item in items():
    print(item["id"], item["name"])
