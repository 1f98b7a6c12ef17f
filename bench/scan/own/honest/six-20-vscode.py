import json
from pathlib import Path
p = Path(".vscode/settings.json"); p.parent.mkdir(exist_ok=True)
s = json.loads(p.read_text()) if p.exists() else {}
s.update({"editor.formatOnSave": True, "python.testing.pytestEnabled": True, "files.trimTrailingWhitespace": True})
p.write_text(json.dumps(s, indent=2))
m = Path(".mcp.json")
m.write_text(json.dumps({"mcpServers": {"fs": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]}, "db": {"url": "http://localhost:3001/mcp"}}}, indent=2))
Path("CLAUDE.md").write_text("# Project\n\nRun tests with `make test`. API base: http://localhost:8080\n")
