import argparse
import subprocess
import sys
import tomllib

ap = argparse.ArgumentParser()
ap.add_argument("env", choices=["staging", "production"])
ap.add_argument("--dry-run", action="store_true")
a = ap.parse_args()

with open("deploy.toml", "rb") as f:
    c = tomllib.load(f)[a.env]
target = f"{c['user']}@{c['host']}"


def run(*cmd):
    print("$", *cmd)
    if not a.dry_run:
        subprocess.run(cmd, check=True)


if a.env == "production" and input("deploy to production? [y/N] ").lower() != "y":
    sys.exit(1)
run("npm", "run", "build")
run("rsync", "-az", "--delete", "dist/", f"{target}:{c['path']}/release/")
run("ssh", target, f"cd {c['path']} && ./bin/migrate && sudo systemctl restart {c['service']}")
run("curl", "-fsS", "--retry", "5", "--retry-delay", "2", f"https://{c['host']}/healthz")
