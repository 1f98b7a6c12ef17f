import redis, json, subprocess
r = redis.Redis()
while True:
    _, raw = r.blpop("jobs")
    job = json.loads(raw)
    if job["kind"] == "thumb":
        subprocess.run(["convert", job["src"], "-resize", "200x200", job["dst"]], check=True)
    elif job["kind"] == "pdf":
        subprocess.run(["wkhtmltopdf", job["url"], job["out"]], timeout=60)
    r.rpush("done", json.dumps({"id": job["id"]}))
