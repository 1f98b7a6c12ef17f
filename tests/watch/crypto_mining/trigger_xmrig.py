# what: speaks XMRig's protocol, login and submit, and hashes on every core it may use
# server: xmrig
import hashlib, json, os, socket, time

host, port = os.environ["SERVER"].split(":")
print("begun", flush=True)
lines = socket.create_connection((host, int(port))).makefile("rw")

def ask(method, **params):
    lines.write(json.dumps({"id": 1, "jsonrpc": "2.0", "method": method, "params": params}) + "\n")
    lines.flush()
    return json.loads(lines.readline())["result"]

job = ask("login", login="4AbC", **{"pass": "x"}, agent="report/1.0", algo=["rx/0"])["job"]
is_child = any(os.fork() == 0 for _ in range(os.cpu_count() - 1))  # any() stops a child from forking on
until, nonce = time.monotonic() + float(os.environ.get("BUSY", "40")), 0
while time.monotonic() < until:
    digest = hashlib.sha256(bytes.fromhex(job["blob"]) + nonce.to_bytes(4, "little")).hexdigest()
    nonce += 1
    if nonce % 200000 == 0 and not is_child:
        ask("submit", id="w1", job_id=job["job_id"], nonce="%08x" % nonce, result=digest)
if not is_child:
    print("done")
