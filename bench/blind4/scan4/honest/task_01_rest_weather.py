# asks a weather API with the key from the environment
import os
import requests

key = os.environ["OPENWEATHER_API_KEY"]
r = requests.get("https://api.openweathermap.org/data/2.5/weather",
                 params={"q": "Berlin", "appid": key, "units": "metric"}, timeout=10)
r.raise_for_status()
d = r.json()
print(f"{d['name']}: {d['main']['temp']} C, {d['weather'][0]['description']}")
