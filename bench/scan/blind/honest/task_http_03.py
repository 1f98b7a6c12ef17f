# class: network; style: requests with retries
import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

session = requests.Session()
session.mount("https://", HTTPAdapter(max_retries=Retry(total=3, backoff_factor=0.5, status_forcelist=[502, 503])))
resp = session.get("https://api.weather.example/v1/forecast", params={"lat": 52.5, "lon": 13.4}, timeout=10)
resp.raise_for_status()
for day in resp.json()["daily"]:
    print(day["date"], day["max"], day["min"])
