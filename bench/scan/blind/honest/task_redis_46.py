# class: database; style: redis cache
import json
import os
import redis

r = redis.Redis.from_url(os.environ.get("REDIS_URL", "redis://localhost:6379/0"))


def cached(key, produce, ttl=300):
    if (hit := r.get(key)) is not None:
        return json.loads(hit)
    value = produce()
    r.setex(key, ttl, json.dumps(value))
    return value


print(cached("answer", lambda: {"value": 42}))
