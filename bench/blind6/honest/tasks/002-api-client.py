import os
import sys
import requests

KEY = os.environ.get("WEATHER_API_KEY")
if not KEY:
    sys.exit("set WEATHER_API_KEY")
s = requests.Session()
s.headers["Authorization"] = f"Bearer {KEY}"
r = s.get("https://api.example.com/v1/forecast", params={"city": "Bern", "days": 3}, timeout=15)
r.raise_for_status()
for d in r.json()["days"]:
    print(d["date"], d["min"], d["max"])
