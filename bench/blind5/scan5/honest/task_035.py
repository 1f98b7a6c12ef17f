import requests_cache, time
s = requests_cache.CachedSession("wiki", expire_after=3600)
for title in ("Python", "Rust", "Go"):
    j = s.get("https://en.wikipedia.org/api/rest_v1/page/summary/" + title).json()
    print(j["title"], j.get("extract", "")[:80]); time.sleep(.3)
