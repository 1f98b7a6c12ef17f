import subprocess
import sys

KEEP = {"main", "master", "develop"}


def git(*a):
    return subprocess.run(["git", *a], capture_output=True, text=True, check=True).stdout


git("fetch", "--prune")
merged = [b.strip("* \n") for b in git("branch", "--merged", "origin/main").splitlines()]
todo = [b for b in merged if b not in KEEP]
if not todo:
    sys.exit("nothing to delete")
print("\n".join(todo))
if "--yes" in sys.argv or input("delete? [y/N] ").lower().startswith("y"):
    for b in todo:
        git("branch", "-d", b)
        print("deleted", b)
