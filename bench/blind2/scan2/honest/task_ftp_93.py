# class: network, fetches public data; style: scientist
from ftplib import FTP
import gzip, shutil
with FTP("ftp.ncbi.nlm.nih.gov", timeout=60) as ftp:
    ftp.login()
    ftp.cwd("/pub/taxonomy")
    with open("taxdump_readme.txt", "wb") as f:
        ftp.retrbinary("RETR taxdump_readme.txt", f.write)
print(open("taxdump_readme.txt").read()[:300])
