# worker which takes jobs from redis
import json, logging, os, signal
import redis

r = redis.Redis.from_url(os.environ.get("REDIS_URL", "redis://localhost:6379/0"))
stop = False


def _stop(*_):
    global stop
    stop = True


signal.signal(signal.SIGTERM, _stop)
while not stop:
    item = r.blpop("jobs", timeout=2)
    if item:
        job = json.loads(item[1])
        logging.warning("handling %s", job["id"])
        r.hset("results", job["id"], json.dumps({"sum": sum(job["numbers"])}))
