# class: data work, python in a here-document; style: agent
python3 - <<'PY'
import subprocess, os, json
print(os.getcwd(), os.listdir("."))
r = subprocess.run(["git", "status", "--short"], capture_output=True, text=True)
print(r.stdout)
cfg = json.load(open("tsconfig.json"))
cfg["compilerOptions"]["strict"] = True
json.dump(cfg, open("tsconfig.json", "w"), indent=2)
PY
npx tsc --noEmit | head -30
