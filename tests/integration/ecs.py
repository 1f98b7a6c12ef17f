"""The published ECS schema (npm's @elastic/ecs, by the hash in tests/schemas, which `./check` fetches)."""
import json
import shutil
import subprocess

from helpers import ROOT, skip

SCHEMA = ROOT / "tests/schemas/node_modules/@elastic/ecs/build/commonjs/ecs_flat.js"
KINDS = {"keyword": str, "wildcard": str, "match_only_text": str, "constant_keyword": str, "date": str, "long": int,
         "float": (int, float)}


def published():
    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    if not node or not SCHEMA.exists():
        skip("no schema: %s is missing (npm ci --ignore-scripts in tests/schemas, which ./check does)"
             % (SCHEMA if node else "node"))
    said = subprocess.run([node, "-p", "JSON.stringify(require(%s).EcsFlat)" % json.dumps(str(SCHEMA))],
                          capture_output=True, text=True, check=True, timeout=60)
    return json.loads(said.stdout)


def leaves(value, path=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, path + "." + key if path else key)
    else:
        for one in value if isinstance(value, list) else [value]:
            yield path, one


def is_ours(path):
    """Ours, and those that ECS leaves free."""
    return path.startswith(("agentsandbox.", "labels."))


def wrong(schema, event):
    found = []
    for path, value in leaves(event):
        field = schema.get(path)
        allowed = {a["name"] for a in (field or {}).get("allowed_values", ())}
        if is_ours(path):
            continue
        if not field or not isinstance(value, KINDS[field["type"]]) or (allowed and value not in allowed):
            found.append((path, value))
    return found
