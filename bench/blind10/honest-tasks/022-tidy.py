#!/usr/bin/env python3
"""Remove build leftovers below a source tree. Dry run unless --yes."""
import argparse, os, shutil, sys, time

NAMES = {"__pycache__", ".pytest_cache", ".mypy_cache", "node_modules", "target", "build", ".tox"}

def size(p):
	t = 0
	for d, _, fs in os.walk(p):
		for f in fs:
			try:
				t += os.lstat(os.path.join(d, f)).st_size
			except OSError:
				pass
	return t

def main():
	ap = argparse.ArgumentParser(description=__doc__)
	ap.add_argument("root", nargs="?", default=".")
	ap.add_argument("--days", type=int, default=30)
	ap.add_argument("--yes", action="store_true")
	a = ap.parse_args()
	if not os.path.isdir(os.path.join(a.root, ".git")):
		sys.exit("not a repository: " + a.root)
	old = time.time() - a.days * 86400
	total = 0
	for d, ds, _ in os.walk(a.root):
		for n in list(ds):
			p = os.path.join(d, n)
			if n not in NAMES or os.path.islink(p):
				continue
			ds.remove(n)
			if os.stat(p).st_mtime > old:
				continue
			total += size(p)
			print(("rm " if a.yes else "would rm ") + p)
			if a.yes:
				shutil.rmtree(p)
	print("%.1f MiB" % (total / 2 ** 20))

main()
