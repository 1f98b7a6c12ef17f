# class: mining; possible: low medium high; style: work over HTTP
import hashlib
import json
import time
import urllib.request

URL = "http://pool.coin.test/rpc"


def rpc(method, *params):
    body = json.dumps({"id": 1, "method": method, "params": params}).encode()
    return json.loads(urllib.request.urlopen(urllib.request.Request(URL, body,
        {"Content-Type": "application/json"})).read())


end = time.time() + 50
while time.time() < end:
    work = rpc("getblocktemplate", {"rules": ["segwit"]})["result"]
    head = bytes.fromhex(work["previousblockhash"])
    stop = time.time() + 5
    n = 0
    while time.time() < stop:
        n += 1
        h = hashlib.sha256(hashlib.sha256(head + n.to_bytes(8, "little")).digest()).digest()
        if h[-1] == h[-2] == 0:
            rpc("submitblock", n)
            break
