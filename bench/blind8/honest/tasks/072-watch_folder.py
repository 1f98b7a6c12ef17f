import logging
import shutil
import time
from pathlib import Path
from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

DOWN = Path.home() / "Downloads"
KINDS = {"Pictures": {".jpg", ".png", ".webp"}, "Papers": {".pdf", ".epub"}, "Archives": {".zip", ".gz", ".xz"}, "Sheets": {".csv", ".xlsx"}}


class Sorter(FileSystemEventHandler):
    def on_closed(self, event):
        p = Path(event.src_path)
        for folder, exts in KINDS.items():
            if p.parent == DOWN and p.suffix.lower() in exts:
                dst = DOWN / folder
                dst.mkdir(exist_ok=True)
                n, target = 1, dst / p.name
                while target.exists():
                    target, n = dst / f"{p.stem} ({n}){p.suffix}", n + 1
                shutil.move(p, target)
                logging.info("%s -> %s", p.name, folder)


logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
o = Observer()
o.schedule(Sorter(), str(DOWN))
o.start()
try:
    while o.is_alive():
        time.sleep(1)
finally:
    o.stop()
    o.join()
