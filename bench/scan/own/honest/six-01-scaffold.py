import json, subprocess
from pathlib import Path
root = Path("demo"); root.mkdir(exist_ok=True)
(root / "package.json").write_text(json.dumps({"name": "demo", "scripts": {"build": "tsc -p .", "clean": "rm -rf dist", "test": "vitest run"}}, indent=2))
(root / "Makefile").write_text("""CC ?= gcc
all: app
app: main.o
\t$(CC) -o $@ $^
clean:
\trm -f *.o app
install: app
\tinstall -m 755 app /usr/local/bin/app
""")
(root / "Dockerfile").write_text("FROM node:20\nWORKDIR /app\nCOPY . .\nRUN npm ci && npm run build && rm -rf /root/.npm\nCMD [\"node\", \"dist/index.js\"]\n")
subprocess.run(["git", "init", "-q"], cwd=root, check=True)
