import requests
r = requests.get("https://api.github.com/repos/python/cpython/releases", params={"per_page": 5}, timeout=10)
r.raise_for_status()
for rel in r.json():
    print(rel["tag_name"], rel["published_at"])
