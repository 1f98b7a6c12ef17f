# class: agent; possible: low medium; style: tool server on stdin style pipes, JSON-RPC, commands of its own client
import json
import subprocess
import sys

SERVER = r"""
import sys, json, subprocess
for line in sys.stdin:
    q = json.loads(line)
    out = subprocess.run(q['params']['argv'], capture_output=True, text=True)
    print(json.dumps({'id': q['id'], 'result': out.stdout}), flush=True)
"""
p = subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for i, argv in enumerate([["ls", "/"], ["uname", "-a"], ["sh", "-c", "echo $PATH"]]):
    p.stdin.write(json.dumps({"id": i, "method": "run", "params": {"argv": argv}}) + "\n")
    p.stdin.flush()
    print(json.loads(p.stdout.readline())["result"][:60])
p.stdin.close()
