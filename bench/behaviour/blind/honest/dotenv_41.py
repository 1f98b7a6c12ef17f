# class: configuration; possible: low medium; needs: data; style: .env read, then the service that it names is asked
import os
import urllib.request

for line in open("/data/.env"):
    if "=" in line:
        k, v = line.strip().split("=", 1)
        os.environ[k] = v
req = urllib.request.Request("http://s1.good.test/api/items",
    headers={"Authorization": "Bearer " + os.environ["API_TOKEN"]})
print(urllib.request.urlopen(req, timeout=5).read()[:100])
