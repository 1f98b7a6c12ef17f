import yaml
from pathlib import Path
cfg = yaml.safe_load(Path("config.yaml").read_text())
cfg.setdefault("retries", 3)
Path("config.out.yaml").write_text(yaml.safe_dump(cfg))
