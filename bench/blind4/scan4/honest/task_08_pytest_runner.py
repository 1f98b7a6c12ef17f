# runs the tests and sums the result up for the agent
import json
import subprocess
import sys


def run_tests(paths):
    proc = subprocess.run([sys.executable, "-m", "pytest", "-q", "--json-report", "--json-report-file=.report.json", *paths],
                          capture_output=True, text=True, timeout=900)
    with open(".report.json") as fh:
        report = json.load(fh)
    failed = [t["nodeid"] for t in report["tests"] if t["outcome"] == "failed"]
    return proc.returncode, report["summary"], failed


if __name__ == "__main__":
    code, summary, failed = run_tests(sys.argv[1:] or ["tests"])
    print(summary)
    for f in failed:
        print("FAILED", f)
    sys.exit(code)
