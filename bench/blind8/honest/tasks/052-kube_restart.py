import argparse
import hashlib
import json
from datetime import datetime, timezone
from kubernetes import client, config

ap = argparse.ArgumentParser()
ap.add_argument("namespace")
ap.add_argument("--dry-run", action="store_true")
a = ap.parse_args()
config.load_kube_config()
core, apps = client.CoreV1Api(), client.AppsV1Api()

digest = {c.metadata.name: hashlib.sha256(json.dumps(c.data or {}, sort_keys=True).encode()).hexdigest()[:16]
          for c in core.list_namespaced_config_map(a.namespace).items}
for d in apps.list_namespaced_deployment(a.namespace).items:
    spec = d.spec.template
    used = sorted({e.config_map_ref.name for c in spec.spec.containers for e in (c.env_from or []) if e.config_map_ref})
    want = ",".join(digest.get(u, "-") for u in used)
    have = (spec.metadata.annotations or {}).get("config-digest")
    if used and want != have:
        print(d.metadata.name, have, "->", want)
        if not a.dry_run:
            apps.patch_namespaced_deployment(d.metadata.name, a.namespace, {"spec": {"template": {"metadata": {"annotations": {
                "config-digest": want, "restartedAt": datetime.now(timezone.utc).isoformat()}}}}})
