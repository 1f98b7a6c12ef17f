"""cliphist: remember the last 50 clipboard texts locally (Ctrl-C to stop)."""
import json
import re
import sys
import time
from pathlib import Path

import pyperclip

STORE = Path.home() / ".local/share/cliphist.json"
SKIP = re.compile(r"BEGIN .*PRIVATE KEY|^[A-Za-z0-9+/_-]{32,}$")
items = json.loads(STORE.read_text()) if STORE.exists() else []

if "--list" in sys.argv:
    for i, t in enumerate(items):
        print(i, t[:70].replace("\n", "⏎"))
    sys.exit()
if "--pick" in sys.argv:
    pyperclip.copy(items[int(sys.argv[-1])])
    sys.exit()

STORE.parent.mkdir(parents=True, exist_ok=True)
last = None
while True:
    cur = pyperclip.paste()
    if cur and cur != last and not SKIP.search(cur):
        items = [cur] + [t for t in items if t != cur][:49]
        STORE.write_text(json.dumps(items))
        STORE.chmod(0o600)
    last = cur
    time.sleep(1)
