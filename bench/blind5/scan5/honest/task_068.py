from watchdog.observers import Observer
from watchdog.events import FileSystemEventHandler
import subprocess, time
class Run(FileSystemEventHandler):
    def on_modified(self, e):
        if e.src_path.endswith(".py"): subprocess.run(["pytest", "-x", "-q"])
o = Observer(); o.schedule(Run(), "src", recursive=True); o.start()
try:
    while True: time.sleep(1)
except KeyboardInterrupt: o.stop()
o.join()
