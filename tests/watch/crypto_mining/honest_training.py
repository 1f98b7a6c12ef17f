# what: trains for a while and posts each loss to a dashboard, in JSON that has jobs, logins and targets of its own
# server: http
import http.client, json, os, time

c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
weights, end, told = [0.5] * 64, time.monotonic() + 3, 0.0
c.request("POST", "/login", json.dumps({"login": "me", "pass": "x", "agent": "trainer/1.0"}))
assert c.getresponse().read() == b"thanks"
while time.monotonic() < end:
    for i in range(20000):
        weights[i % 64] -= 0.001 * (weights[i % 64] * (i % 7) - 1)
    if time.monotonic() - told > 0.3:
        told = time.monotonic()
        step = {"job_id": "run-7", "target": "loss", "algo": "sgd", "blob": "s3://runs/7", "loss": weights[0]}
        c.request("POST", "/steps", json.dumps(step))
        assert c.getresponse().read() == b"thanks"
print("done")
