# class: files, YAML and TOML merged; style: tidy
import os, sys, tomllib, yaml

def merge(a, b):
    return {**a, **{k: merge(a[k], v) if isinstance(v, dict) and isinstance(a.get(k), dict) else v for k, v in b.items()}}

base = yaml.safe_load(open("config/base.yaml"))
env = os.environ.get("APP_ENV", "development")
over = yaml.safe_load(open(f"config/{env}.yaml")) or {}
with open("pyproject.toml", "rb") as f:
    base["version"] = tomllib.load(f)["project"]["version"]
yaml.safe_dump(merge(base, over), sys.stdout, sort_keys=False)
