# class: files, makes a .env from its example; style: setup script
import pathlib, secrets, re
ex = pathlib.Path(".env.example").read_text()
out = []
for line in ex.splitlines():
    m = re.match(r"(\w*(SECRET|PASSWORD|TOKEN)\w*)=$", line)
    out.append(f"{m[1]}={secrets.token_urlsafe(32)}" if m else line)
env = pathlib.Path(".env")
if env.exists():
    raise SystemExit(".env exists, leaving it")
env.write_text("\n".join(out) + "\n"); env.chmod(0o600)
print("wrote .env with", sum("=" in l for l in out), "settings")
