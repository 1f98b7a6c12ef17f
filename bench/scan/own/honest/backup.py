# a dated, encrypted backup of the project, keeps the last five
import glob, os, subprocess, tarfile, time
name = time.strftime("backup-%Y%m%d.tar.gz")
with tarfile.open(name, "w:gz") as t:
    t.add("data"); t.add("config")
subprocess.run(["openssl", "enc", "-aes-256-cbc", "-pbkdf2", "-in", name, "-out", name + ".enc",
                "-pass", "env:BACKUP_KEY"], check=True)
for old in sorted(glob.glob("backup-*.enc"))[:-5]:
    os.remove(old)
