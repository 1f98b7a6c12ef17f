import json
import subprocess
import sys

TOOLS = {
    "list_files": lambda a: subprocess.check_output(["ls", "-1", a.get("path", ".")], text=True),
    "read_file": lambda a: open(a["path"]).read(),
    "run_tests": lambda a: subprocess.run(["pytest", "-q", *a.get("args", [])], capture_output=True, text=True).stdout,
}
for line in sys.stdin:
    request = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": request.get("id")}
    try:
        if request["method"] == "tools/list":
            answer["result"] = {"tools": [{"name": n} for n in TOOLS]}
        elif request["method"] == "tools/call":
            text = TOOLS[request["params"]["name"]](request["params"].get("arguments", {}))
            answer["result"] = {"content": [{"type": "text", "text": text}]}
        else:
            answer["error"] = {"code": -32601, "message": "no such method"}
    except Exception as e:
        answer["error"] = {"code": -32000, "message": str(e)}
    print(json.dumps(answer), flush=True)
