import hashlib
import pathlib
import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

CACHE = pathlib.Path(".cache")
CACHE.mkdir(exist_ok=True)
s = requests.Session()
s.mount("https://", HTTPAdapter(max_retries=Retry(3, backoff_factor=0.5, status_forcelist=[502, 503])))

def get(url):
    f = CACHE / hashlib.md5(url.encode()).hexdigest()
    if not f.exists():
        f.write_bytes(s.get(url, timeout=10).content)
    return f.read_bytes()

print(len(get("https://pypi.org/pypi/requests/json")))
