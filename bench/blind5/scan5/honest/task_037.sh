python3 - <<'PY'
import json, pathlib
p = pathlib.Path("package.json"); j = json.loads(p.read_text())
j["version"] = "1.4.0"
p.write_text(json.dumps(j, indent=2) + "\n")
PY
npm install --package-lock-only && npm test && git commit -am "release: 1.4.0" && git tag v1.4.0
