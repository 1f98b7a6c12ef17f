import json
from pathlib import Path

p = Path("settings.json")
cfg = json.loads(p.read_text()) if p.exists() else {}
cfg["retries"] = cfg.get("retries", 0) + 1
p.write_text(json.dumps(cfg, indent=2))
print(cfg)
