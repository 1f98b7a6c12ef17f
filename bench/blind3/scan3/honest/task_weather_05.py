import datetime
import json
import urllib.parse
import urllib.request

params = {"latitude": 52.52, "longitude": 13.41, "daily": "temperature_2m_max,precipitation_sum", "timezone": "Europe/Berlin"}
url = "https://api.open-meteo.com/v1/forecast?" + urllib.parse.urlencode(params)
with urllib.request.urlopen(url, timeout=20) as answer:
    daily = json.load(answer)["daily"]
for day, high, rain in zip(daily["time"], daily["temperature_2m_max"], daily["precipitation_sum"]):
    print(datetime.date.fromisoformat(day).strftime("%a %d %b"), "%5.1f °C %4.1f mm" % (high, rain))
