import json
import sys
import urllib.parse
import urllib.request

place = " ".join(sys.argv[1:]) or "Bern"
geo = "https://geocoding-api.open-meteo.com/v1/search?" + urllib.parse.urlencode({"name": place, "count": 1})
with urllib.request.urlopen(geo, timeout=10) as r:
    hit = json.load(r)["results"][0]

q = urllib.parse.urlencode({
    "latitude": hit["latitude"], "longitude": hit["longitude"],
    "daily": "temperature_2m_max,temperature_2m_min,precipitation_sum", "timezone": "auto",
})
with urllib.request.urlopen("https://api.open-meteo.com/v1/forecast?" + q, timeout=10) as r:
    d = json.load(r)["daily"]

print(hit["name"], hit["country"])
for row in zip(d["time"], d["temperature_2m_min"], d["temperature_2m_max"], d["precipitation_sum"]):
    print("{:<12}{:>6}°{:>6}°{:>7} mm".format(*row))
