from string import Template
from pathlib import Path
import subprocess
T = Template("""#!/bin/sh
# made by configure.py
export APP_HOME=$home
exec "$$APP_HOME/bin/$name" --port $port "$$@"
""")
for name, port in (("api", 8000), ("worker", 8001)):
    p = Path("bin") / name
    p.write_text(T.substitute(home="/srv/app", name=name, port=port))
    p.chmod(0o755)
subprocess.run(["./bin/api", "--check"])
