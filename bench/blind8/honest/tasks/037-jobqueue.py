import json
import logging
import signal
import time
import redis

log = logging.getLogger("worker")
TASKS = {}


def task(fn):
    TASKS[fn.__name__] = fn
    return fn


@task
def resize(path, width):
    log.info("resize %s to %s", path, width)


@task
def welcome_mail(user_id):
    log.info("mail to user %s", user_id)


class Worker:
    def __init__(self, url="redis://localhost/0"):
        self.r, self.run = redis.Redis.from_url(url), True
        signal.signal(signal.SIGTERM, lambda *_: setattr(self, "run", False))

    def loop(self):
        while self.run:
            item = self.r.brpop("jobs", timeout=2)
            if not item:
                continue
            job = json.loads(item[1])
            try:
                TASKS[job["name"]](**job["args"])
            except KeyError:
                log.error("unknown task %r", job.get("name"))
            except Exception:
                log.exception("failed")
                job["tries"] = job.get("tries", 0) + 1
                if job["tries"] < 3:
                    time.sleep(2 ** job["tries"])
                    self.r.lpush("jobs", json.dumps(job))


logging.basicConfig(level="INFO")
Worker().loop()
