from __future__ import annotations

import os
from functools import reduce
from pathlib import Path
from typing import Any
import yaml


def deep(a: dict, b: dict) -> dict:
    out = dict(a)
    for k, v in b.items():
        out[k] = deep(out[k], v) if isinstance(v, dict) and isinstance(out.get(k), dict) else v
    return out


def from_env(prefix: str) -> dict:
    out: dict[str, Any] = {}
    for k, v in os.environ.items():
        if k.startswith(prefix):
            *path, last = k[len(prefix):].lower().split("__")
            node = out
            for p in path:
                node = node.setdefault(p, {})
            node[last] = yaml.safe_load(v)
    return out


def mask(d):
    return {k: mask(v) if isinstance(v, dict) else "***" if any(s in k for s in ("password", "secret", "token")) else v for k, v in d.items()}


layers = [yaml.safe_load(p.read_text()) or {} for n in ("base", os.getenv("APP_ENV", "dev"), "local") if (p := Path("config", n + ".yaml")).exists()]
print(yaml.safe_dump(mask(reduce(deep, [*layers, from_env("APP__")], {}))))
