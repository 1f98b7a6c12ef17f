# re-runs the tests when a source file changes
import subprocess
import time
from watchdog.events import PatternMatchingEventHandler
from watchdog.observers import Observer


class Rerun(PatternMatchingEventHandler):
    def __init__(self):
        super().__init__(patterns=["*.py"], ignore_directories=True)
        self.last = 0.0

    def on_modified(self, event):
        if time.time() - self.last < 1:
            return
        self.last = time.time()
        subprocess.run(["pytest", "-x", "-q"])


obs = Observer()
obs.schedule(Rerun(), "src", recursive=True)
obs.start()
try:
    obs.join()
except KeyboardInterrupt:
    obs.stop()
