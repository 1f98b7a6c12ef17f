# class: data work, looks into a token; style: developer
import base64, json, sys, os
tok = os.environ.get("JWT") or sys.stdin.readline().strip()
for part in tok.split(".")[:2]:
    print(json.dumps(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))), indent=2))
