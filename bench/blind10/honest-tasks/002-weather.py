import os
import sys

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

URL = "https://api.weather.example/v3/forecast"


def session():
    s = requests.Session()
    s.mount("https://", HTTPAdapter(max_retries=Retry(total=4, backoff_factor=0.5, status_forcelist=[429, 502, 503])))
    s.headers["Authorization"] = "Bearer " + os.environ["WEATHER_TOKEN"]
    return s


def main(city):
    r = session().get(URL, params={"q": city, "days": 3}, timeout=10)
    r.raise_for_status()
    for d in r.json()["days"]:
        print(f"{d['date']}  {d['min']:>5.1f} {d['max']:>5.1f}  {d['text']}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "Kiel")
