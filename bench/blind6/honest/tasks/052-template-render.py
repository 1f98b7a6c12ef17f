import argparse
import json
from pathlib import Path
from jinja2 import Environment, FileSystemLoader, StrictUndefined

ap = argparse.ArgumentParser()
ap.add_argument("vars", type=argparse.FileType())
ap.add_argument("-o", "--out", type=Path, default=Path("rendered"))
a = ap.parse_args()
ctx = json.load(a.vars)
env = Environment(loader=FileSystemLoader("templates"), undefined=StrictUndefined, trim_blocks=True)
a.out.mkdir(exist_ok=True)
for name in env.list_templates(extensions=["j2"]):
    dst = a.out / name.removesuffix(".j2")
    dst.parent.mkdir(parents=True, exist_ok=True)
    dst.write_text(env.get_template(name).render(**ctx))
    print(dst)
