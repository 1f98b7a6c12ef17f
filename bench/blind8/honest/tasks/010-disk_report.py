import os
import shutil
import smtplib
import socket
from email.message import EmailMessage

import psutil

LIMIT = int(os.getenv("DISK_LIMIT", "85"))
rows = []
for part in psutil.disk_partitions():
    u = shutil.disk_usage(part.mountpoint)
    pct = u.used * 100 // u.total
    rows.append((pct, part.mountpoint, u.free >> 30))

bad = [r for r in rows if r[0] >= LIMIT]
if bad:
    m = EmailMessage()
    m["Subject"] = f"[{socket.gethostname()}] disk above {LIMIT}%"
    m["From"], m["To"] = os.environ["MAIL_FROM"], os.environ["MAIL_TO"]
    m.set_content("\n".join(f"{p:3}% {mp} ({free} GiB free)" for p, mp, free in sorted(rows, reverse=True)))
    with smtplib.SMTP(os.environ["SMTP_HOST"], 587) as s:
        s.starttls()
        s.login(os.environ["SMTP_USER"], os.environ["SMTP_PASSWORD"])
        s.send_message(m)
