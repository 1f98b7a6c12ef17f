import subprocess
import sys
import time

from watchdog.events import PatternMatchingEventHandler
from watchdog.observers import Observer


class Rerun(PatternMatchingEventHandler):
    def __init__(self):
        super().__init__(patterns=["*.py", "*.toml"], ignore_patterns=["*/.venv/*"])
        self.last = 0.0

    def on_any_event(self, event):
        if event.event_type in ("opened", "closed_no_write") or time.time() - self.last < 1:
            return
        self.last = time.time()
        print("\033[2J\033[H", event.src_path)
        subprocess.run([sys.executable, "-m", "pytest", "-q", "--lf", "tests"])


o = Observer()
o.schedule(Rerun(), ".", recursive=True)
o.start()
try:
    while o.is_alive():
        o.join(1)
except KeyboardInterrupt:
    o.stop()
