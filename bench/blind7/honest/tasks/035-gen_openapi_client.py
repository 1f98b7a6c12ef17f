import importlib.util
import json
import keyword
import re
from pathlib import Path

spec = json.loads(Path("openapi.json").read_text())
base = spec["servers"][0]["url"]


def ident(s):
    s = re.sub(r"\W+", "_", s).strip("_").lower()
    return s + "_" if keyword.iskeyword(s) else s


out = ["import requests", "", f"BASE = {base!r}", "session = requests.Session()", ""]
for path, ops in spec["paths"].items():
    for method, op in ops.items():
        name = ident(op.get("operationId") or f"{method}_{path}")
        params = [ident(p["name"]) for p in op.get("parameters", []) if p["in"] == "path"]
        url = re.sub(r"{(.+?)}", lambda m: "{" + ident(m[1]) + "}", path)
        out += [f"def {name}({', '.join(params + ['**kw'])}):",
                f"    r = session.request({method.upper()!r}, BASE + f{url!r}, **kw)",
                "    r.raise_for_status()",
                "    return r.json()", ""]
Path("client.py").write_text("\n".join(out))

s = importlib.util.spec_from_file_location("client", "client.py")
m = importlib.util.module_from_spec(s)
s.loader.exec_module(m)
print([n for n in dir(m) if callable(getattr(m, n)) and not n.startswith("_")])
