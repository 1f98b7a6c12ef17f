"""Update one dependency, run the tests, commit when they pass."""
import subprocess
import sys


def sh(*cmd, check=True):
    print("$", *cmd)
    return subprocess.run(cmd, check=check, text=True, capture_output=True)


def main(pkg):
    sh("git", "switch", "-c", f"update-{pkg}")
    sh("uv", "lock", "--upgrade-package", pkg)
    sh("uv", "sync")
    t = sh("uv", "run", "pytest", "-q", check=False)
    if t.returncode:
        print(t.stdout[-3000:])
        sh("git", "checkout", "--", "uv.lock")
        sh("git", "switch", "-")
        sh("git", "branch", "-D", f"update-{pkg}")
        return 1
    if not sh("git", "status", "--porcelain").stdout:
        print("already newest")
        return 0
    sh("git", "commit", "-am", f"Update {pkg}")
    sh("git", "push", "-u", "origin", "HEAD")
    sh("gh", "pr", "create", "--fill")
    return 0


sys.exit(main(sys.argv[1]))
