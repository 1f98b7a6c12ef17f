"""Run pytest in a clean container."""
import sys
from pathlib import Path

import docker

client = docker.from_env()
src = Path.cwd()

logs = client.containers.run(
    "python:3.12-slim",
    ["sh", "-c", "pip install -q -r requirements-dev.txt && python -m pytest -q " + " ".join(sys.argv[1:])],
    volumes={str(src): {"bind": "/src", "mode": "ro"}},
    tmpfs={"/tmp": "", "/root": ""},
    working_dir="/src",
    environment={"PYTHONDONTWRITEBYTECODE": "1"},
    cap_drop=["ALL"],
    security_opt=["no-new-privileges"],
    mem_limit="1g",
    pids_limit=256,
    remove=True,
    stream=True,
)
for chunk in logs:
    sys.stdout.write(chunk.decode())
