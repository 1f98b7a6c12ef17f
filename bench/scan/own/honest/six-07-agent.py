import json, subprocess, sys
TOOLS = [{"name": "bash", "description": "run a command", "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}}}]
call = json.loads('{"tool": "bash", "input": {"command": "ls -la && git status --short && python3 -m pytest -q tests/"}}')
out = subprocess.run(["bash", "-lc", call["input"]["command"]], capture_output=True, text=True, timeout=120)
print(json.dumps({"ok": out.returncode == 0, "tail": out.stdout[-2000:]}))
