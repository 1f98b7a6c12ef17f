import os
import smtplib
import ssl
from email.message import EmailMessage
from pathlib import Path

report = Path("report.pdf")
m = EmailMessage()
m["Subject"], m["From"], m["To"] = "Weekly report", os.environ["MAIL_FROM"], "team@example.org"
m.set_content("The report is attached.\n")
m.add_attachment(report.read_bytes(), maintype="application", subtype="pdf", filename=report.name)
with smtplib.SMTP("smtp.example.org", 587) as s:
    s.starttls(context=ssl.create_default_context())
    s.login(os.environ["MAIL_USER"], os.environ["MAIL_PASSWORD"])
    s.send_message(m)
