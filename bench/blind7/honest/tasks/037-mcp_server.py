import json
import sys
from pathlib import Path

ROOT = Path("notes").resolve()
TOOLS = [
    {"name": "list_notes", "description": "List note names", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "read_note", "description": "Read one note", "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
]


def call(name, args):
    if name == "list_notes":
        return "\n".join(sorted(p.stem for p in ROOT.glob("*.md")))
    p = (ROOT / f"{args['name']}.md").resolve()
    if ROOT not in p.parents:
        raise ValueError("outside of notes")
    return p.read_text()


def handle(m):
    if m["method"] == "initialize":
        return {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "notes", "version": "0.1"}}
    if m["method"] == "tools/list":
        return {"tools": TOOLS}
    if m["method"] == "tools/call":
        return {"content": [{"type": "text", "text": call(m["params"]["name"], m["params"].get("arguments", {}))}]}
    raise ValueError("unknown method")


for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    try:
        r = {"result": handle(m)}
    except Exception as e:
        r = {"error": {"code": -32000, "message": str(e)}}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], **r}), flush=True)
