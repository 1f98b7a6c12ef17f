# class: dotenv; possible: low medium; needs: data; style: settings from .env, the token goes to its own service
import urllib.request

settings = {}
with open("/data/.env") as f:
    for line in f:
        if "=" in line and not line.startswith("#"):
            k, _, v = line.strip().partition("=")
            settings[k] = v.strip("'\"")
for path in ("/v1/me", "/v1/projects", "/v1/projects/7"):
    req = urllib.request.Request("http://s1.good.test" + path, headers={"Authorization": "Bearer " + settings["API_TOKEN"]})
    with urllib.request.urlopen(req, timeout=10) as r:
        print(path, r.status)
