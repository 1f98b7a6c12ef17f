# class: database, worker of a queue; style: tidy
import json, os, signal, time
import redis

r = redis.Redis.from_url(os.getenv("REDIS_URL", "redis://localhost:6379/0"))
stop = False
def handler(*_):
    global stop
    stop = True
signal.signal(signal.SIGTERM, handler)

while not stop:
    item = r.blpop("thumbnails", timeout=5)
    if not item:
        continue
    job = json.loads(item[1])
    t = time.time()
    from PIL import Image
    im = Image.open(job["src"]); im.thumbnail((256, 256)); im.save(job["dst"])
    r.hset("done", job["id"], f"{time.time() - t:.3f}")
