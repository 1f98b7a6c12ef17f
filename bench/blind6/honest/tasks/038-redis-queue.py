import json
import logging
import os
import signal
import redis

logging.basicConfig(level=logging.INFO)
r = redis.from_url(os.environ.get("REDIS_URL", "redis://localhost:6379/0"))
running = True


def stop(*_):
    global running
    running = False


signal.signal(signal.SIGTERM, stop)
HANDLERS = {"resize": lambda j: logging.info("resize %s", j["file"]), "mail": lambda j: logging.info("mail to %s", j["to"])}
while running:
    item = r.blpop("jobs", timeout=5)
    if not item:
        continue
    job = json.loads(item[1])
    try:
        HANDLERS[job["type"]](job)
    except Exception:
        logging.exception("job failed")
        r.rpush("jobs:failed", item[1])
