import sys
import time

import docker
import requests

TAG = "notes:dev"
client = docker.from_env()

image, logs = client.images.build(path=".", tag=TAG, rm=True)
for chunk in logs:
    if line := chunk.get("stream", "").strip():
        print(line)

box = client.containers.run(TAG, detach=True, ports={"8000/tcp": ("127.0.0.1", 8000)},
                            environment={"APP_ENV": "dev"}, mem_limit="256m", read_only=True,
                            tmpfs={"/tmp": ""}, cap_drop=["ALL"])
try:
    for _ in range(30):
        try:
            if requests.get("http://127.0.0.1:8000/healthz", timeout=1).ok:
                print("healthy")
                break
        except requests.ConnectionError:
            time.sleep(1)
    else:
        print(box.logs().decode())
        sys.exit("never became healthy")
finally:
    box.stop(timeout=5)
    box.remove()
