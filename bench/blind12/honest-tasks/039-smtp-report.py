import os
import smtplib
from email.message import EmailMessage

m = EmailMessage()
m["Subject"], m["From"], m["To"] = "Weekly report", os.environ["MAIL_FROM"], os.environ["MAIL_TO"]
m.set_content("See attachment.")
with open("report.html", "rb") as f:
    m.add_attachment(f.read(), maintype="text", subtype="html", filename="report.html")
with smtplib.SMTP_SSL(os.environ["SMTP_HOST"]) as s:
    s.login(os.environ["SMTP_USER"], os.environ["SMTP_PASSWORD"])
    s.send_message(m)
