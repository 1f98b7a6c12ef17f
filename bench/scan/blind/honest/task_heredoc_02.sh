# class: here-document to python; style: tool call
python3 - <<'EOF'
import json, pathlib
d = json.loads(pathlib.Path("package.json").read_text())
d["scripts"]["test"] = "vitest run"
pathlib.Path("package.json").write_text(json.dumps(d, indent=2) + "\n")
EOF
npm test
