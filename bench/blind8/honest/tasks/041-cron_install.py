import argparse
import subprocess
import sys
from pathlib import Path

MARK = "# weekly-report"


def current():
    r = subprocess.run(["crontab", "-l"], capture_output=True, text=True)
    return [] if r.returncode else r.stdout.splitlines()


ap = argparse.ArgumentParser(description="Schedule the weekly report for this user.")
ap.add_argument("action", choices=["install", "remove", "show"])
a = ap.parse_args()
script = Path(__file__).resolve().parent / "weekly_report.py"
lines = [l for l in current() if MARK not in l]
if a.action == "install":
    if not script.exists():
        sys.exit(f"{script} does not exist")
    lines.append(f"0 7 * * 1 {sys.executable} {script} --out {Path.home()}/reports {MARK}")
if a.action == "show":
    print("\n".join(current()))
else:
    subprocess.run(["crontab", "-"], input="\n".join(lines) + "\n", text=True, check=True)
    print("done:", a.action)
