# what: a miner that pauses to look idle: a third of the time it computes, and its pool is never silent for long
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
until = time.monotonic() + float(os.environ.get("BUSY", "40"))
while time.monotonic() < until:
    begin = time.thread_time()
    while time.thread_time() - begin < 0.04:
        hashlib.sha256(bytes.fromhex(job["blob"]) * 1000).digest()
    ask("submit", id="w1", job_id=job["job_id"], nonce="00000001", result="00")
    time.sleep(0.2)
print("done")
