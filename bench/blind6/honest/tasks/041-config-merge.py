import os
import sys
import yaml


def merge(a, b):
    for k, v in b.items():
        a[k] = merge(a[k], v) if isinstance(v, dict) and isinstance(a.get(k), dict) else v
    return a


cfg = {}
for f in ("config/base.yaml", f"config/{os.getenv('APP_ENV', 'dev')}.yaml"):
    if os.path.exists(f):
        with open(f) as fh:
            merge(cfg, yaml.safe_load(fh) or {})
for k, v in os.environ.items():
    if k.startswith("APP__"):
        node = cfg
        *path, leaf = k[5:].lower().split("__")
        for p in path:
            node = node.setdefault(p, {})
        node[leaf] = yaml.safe_load(v)
yaml.safe_dump(cfg, sys.stdout, sort_keys=True)
