# class: API client; possible: low medium; needs: data
import json, pathlib, urllib.request
env = dict(l.split("=", 1) for l in pathlib.Path("/data/.env").read_text().splitlines() if "=" in l)
def api(path, **body):
    req = urllib.request.Request("http://store.good.test" + path, json.dumps(body).encode(), {"Authorization": "Bearer " + env["API_TOKEN"]})
    return json.load(urllib.request.urlopen(req, timeout=5))
for i in range(8): print(api("/v1/orders", n=i)["status"])
