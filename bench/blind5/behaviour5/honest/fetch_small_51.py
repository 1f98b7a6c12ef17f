# class: API client; possible: low medium high
import http.client, json
c = http.client.HTTPConnection("s1.good.test", timeout=10)
for i in range(6): c.request("GET", "/v1/item/%d" % i); print(json.loads(c.getresponse().read())["status"])
