# class: network, mail report; style: smtplib
import os
import smtplib
from email.message import EmailMessage

msg = EmailMessage()
msg["From"], msg["To"], msg["Subject"] = "ci@example.org", "team@example.org", "Nightly report"
msg.set_content(open("report.txt").read())
with smtplib.SMTP(os.environ.get("SMTP_HOST", "localhost"), 587) as smtp:
    smtp.starttls()
    smtp.login(os.environ["SMTP_USER"], os.environ["SMTP_PASSWORD"])
    smtp.send_message(msg)
