import json
import subprocess
from dataclasses import dataclass


@dataclass
class Finding:
    ns: str
    pod: str
    text: str


def pods() -> list[dict]:
    raw = subprocess.check_output(["kubectl", "get", "pods", "-A", "-o", "json"])
    return json.loads(raw)["items"]


def inspect(pod: dict):
    meta = pod["metadata"]
    for st in pod["status"].get("containerStatuses", []):
        if st["restartCount"] > 5:
            yield Finding(meta["namespace"], meta["name"], f"{st['restartCount']} restarts")
    for c in pod["spec"]["containers"]:
        if "@sha256:" not in c["image"]:
            yield Finding(meta["namespace"], meta["name"], f"image not pinned: {c['image']}")
        if c.get("securityContext", {}).get("privileged"):
            yield Finding(meta["namespace"], meta["name"], f"{c['name']} is privileged")


for f in sorted((f for p in pods() for f in inspect(p)), key=lambda f: (f.ns, f.pod)):
    print(f"{f.ns}/{f.pod}: {f.text}")
