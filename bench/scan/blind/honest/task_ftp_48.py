# class: network, ftp mirror; style: ftplib
from ftplib import FTP_TLS
import os

with FTP_TLS("ftp.example.org", os.environ["FTP_USER"], os.environ["FTP_PASS"]) as ftp:
    ftp.prot_p()
    ftp.cwd("reports")
    for name in ftp.nlst():
        if name.endswith(".csv") and not os.path.exists(name):
            with open(name, "wb") as fh:
                ftp.retrbinary(f"RETR {name}", fh.write)
