#!/usr/bin/env python3
# run the suite under every interpreter we have, in parallel
import concurrent.futures as cf, os, shutil, subprocess, sys, tempfile, venv

PY = ["python3.%d" % n for n in range(9, 14)]

def one(py):
	exe = shutil.which(py)
	if not exe:
		return py, None, ""
	with tempfile.TemporaryDirectory() as d:
		subprocess.run([exe, "-m", "venv", d], check=True)
		b = os.path.join(d, "bin", "python")
		subprocess.run([b, "-m", "pip", "-q", "install", "-e", ".[dev]"], check=True)
		p = subprocess.run([b, "-m", "pytest", "-q", "-x"], capture_output=True, text=True)
	return py, p.returncode, p.stdout[-400:]

bad = 0
with cf.ThreadPoolExecutor(os.cpu_count()) as ex:
	for py, rc, out in ex.map(one, PY):
		print("%-12s %s" % (py, "missing" if rc is None else "ok" if rc == 0 else "FAIL"))
		if rc:
			bad = 1
			print(out)
sys.exit(bad)
