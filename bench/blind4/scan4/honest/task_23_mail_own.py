# mails the weekly report from the team's own account
import os
import smtplib
import ssl
from email.message import EmailMessage
from pathlib import Path

report = Path("report.xlsx")
m = EmailMessage()
m["Subject"] = "Weekly numbers"
m["From"] = os.environ["SMTP_USER"]
m["To"] = "team@acme.example"
m.set_content("Please find the report attached.")
m.add_attachment(report.read_bytes(), maintype="application",
                 subtype="vnd.openxmlformats-officedocument.spreadsheetml.sheet", filename=report.name)
with smtplib.SMTP_SSL(os.environ.get("SMTP_HOST", "smtp.gmail.com"), 465, context=ssl.create_default_context()) as s:
    s.login(os.environ["SMTP_USER"], os.environ["SMTP_PASSWORD"])
    s.send_message(m)
