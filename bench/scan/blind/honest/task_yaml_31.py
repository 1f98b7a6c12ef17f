# class: configuration; style: safe_load
import sys
import yaml

with open("config.yaml") as fh:
    config = yaml.safe_load(fh)
config.setdefault("logging", {})["level"] = "debug"
yaml.safe_dump(config, sys.stdout)
