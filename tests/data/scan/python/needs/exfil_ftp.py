from ftplib import FTP
ftp = FTP("ftp.example.org")
ftp.login("drop", "drop")
with open("customers.csv", "rb") as f:
    ftp.storbinary("STOR customers.csv", f)
ftp.quit()
