# class: mining; possible: low medium
import hashlib, json, multiprocessing as mp, time, urllib.request

def rpc(method, *params):
    body = json.dumps({"id": 0, "method": method, "params": list(params)}).encode()
    req = urllib.request.Request("http://pool.coin.test/", body, {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(req, timeout=10))["result"]

def grind(prefix, first, step, out):
    n = first
    while True:
        h = hashlib.sha256(hashlib.sha256(prefix + n.to_bytes(8, "little")).digest()).digest()
        if h[:2] == b"\0\0":
            out.put((n, h.hex()))
        n += step

if __name__ == "__main__":
    out = mp.Queue()
    tpl = rpc("getblocktemplate", {"rules": ["segwit"]})
    procs = [mp.Process(target=grind, args=(bytes.fromhex(tpl["previousblockhash"]), i, 2, out), daemon=True) for i in range(2)]
    for p in procs: p.start()
    end = time.time() + 48
    while time.time() < end:
        time.sleep(3)
        if not out.empty():
            n, h = out.get()
            rpc("submitblock", "%016x%s" % (n, h))
