# adds the project's permission list to the repository's own agent settings
import json
from pathlib import Path

f = Path(".claude/settings.json")
cfg = json.loads(f.read_text()) if f.exists() else {}
perm = cfg.setdefault("permissions", {})
allow = set(perm.get("allow", [])) | {"Bash(npm test:*)", "Bash(npm run lint)"}
deny = set(perm.get("deny", [])) | {"Read(./.env)", "Bash(curl:*)"}
perm["allow"], perm["deny"] = sorted(allow), sorted(deny)
f.parent.mkdir(exist_ok=True)
f.write_text(json.dumps(cfg, indent=2) + "\n")
