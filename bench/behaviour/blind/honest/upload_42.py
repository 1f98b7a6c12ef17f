# class: upload; possible: low medium; needs: data; style: results of 20 MB to a named store
import http.client
import os

c = http.client.HTTPConnection("store.good.test", 80, timeout=30)
for n in range(5):
    c.request("PUT", f"/results/{n}.bin", body=os.urandom(4 << 20))
    print(c.getresponse().read())
