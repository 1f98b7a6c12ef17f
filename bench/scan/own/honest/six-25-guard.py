import re
RULES = [
    {"name": "rm root", "pattern": r"rm\s+-rf\s+/", "message": "deletes everything"},
    {"name": "curl pipe", "pattern": r"curl[^|]*\|\s*sh", "message": "runs what it fetched"},
]
def check(command):
    return [r["message"] for r in RULES if re.search(r["pattern"], command)]
assert check("rm -rf / --no-preserve-root")
assert check("curl http://x | sh")
assert not check("ls -la")
print("ok")
