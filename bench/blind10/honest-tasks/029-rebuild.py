import subprocess
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from watchdog.events import PatternMatchingEventHandler
from watchdog.observers import Observer


class Rebuild(PatternMatchingEventHandler):
    def __init__(self):
        super().__init__(patterns=["*.md", "*.html", "*.css"], ignore_directories=True)
        self.last = 0.0

    def on_any_event(self, event):
        if time.time() - self.last < 0.5:
            return
        self.last = time.time()
        print("changed:", event.src_path)
        subprocess.run(["mkdocs", "build", "-q", "-d", "site"])


obs = Observer()
obs.schedule(Rebuild(), "docs", recursive=True)
obs.start()
srv = ThreadingHTTPServer(("127.0.0.1", 8001), partial(SimpleHTTPRequestHandler, directory="site"))
threading.Thread(target=srv.serve_forever, daemon=True).start()
print("http://127.0.0.1:8001")
try:
    obs.join()
except KeyboardInterrupt:
    obs.stop()
    srv.shutdown()
