# tool call: replace text in files of the work space, refuses other paths
import json
import sys
from pathlib import Path

WORKSPACE = Path.cwd().resolve()


def apply(call):
    target = (WORKSPACE / call["path"]).resolve()
    if WORKSPACE not in target.parents:
        return {"error": "outside of the work space"}
    text = target.read_text()
    if text.count(call["old"]) != 1:
        return {"error": "the old text must occur exactly once"}
    target.write_text(text.replace(call["old"], call["new"]))
    return {"ok": True}


for line in sys.stdin:
    print(json.dumps(apply(json.loads(line))), flush=True)
