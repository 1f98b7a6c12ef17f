# class: network, mails a report; style: tidy
import os, smtplib, ssl
from email.message import EmailMessage

msg = EmailMessage()
msg["Subject"], msg["From"], msg["To"] = "Nightly report", "bot@example.com", "team@example.com"
msg.set_content("See the attachment.")
with open("report.pdf", "rb") as f:
    msg.add_attachment(f.read(), maintype="application", subtype="pdf", filename="report.pdf")
with smtplib.SMTP("smtp.example.com", 587) as s:
    s.starttls(context=ssl.create_default_context())
    s.login("bot@example.com", os.environ["SMTP_PASSWORD"])
    s.send_message(msg)
