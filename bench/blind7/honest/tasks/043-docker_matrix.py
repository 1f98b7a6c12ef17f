import concurrent.futures
import os
import subprocess

IMAGES = ["python:3.10-slim", "python:3.11-slim", "python:3.12-slim", "python:3.13-slim"]
SCRIPT = "pip install -q -e '.[test]' && python -m pytest -q"


def run(img):
    p = subprocess.run(
        ["docker", "run", "--rm", "-v", f"{os.getcwd()}:/src:ro", "--tmpfs", "/work", "-w", "/work", img,
         "sh", "-c", f"cp -r /src/. . && {SCRIPT}"],
        capture_output=True, text=True,
    )
    return img, p.returncode, p.stdout[-600:] + p.stderr[-300:]


with concurrent.futures.ThreadPoolExecutor(2) as ex:
    for img, rc, tail in ex.map(run, IMAGES):
        print(f"{img:20} {'PASS' if rc == 0 else 'FAIL'}")
        if rc:
            print(tail)
