TESTS = [
    {"input": "rm -rf /", "expected": "blocked"},
    {"command": "git status", "expected": "allowed"},
    {"command": "cat README.md", "expected": "allowed"},
]
import json
from guard import decide
for t in TESTS:
    c = t.get("command") or t["input"]
    assert decide(c) == t["expected"], c
print(json.dumps({"passed": len(TESTS)}))
