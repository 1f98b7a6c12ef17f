import os
import smtplib
import ssl
from email.message import EmailMessage
from pathlib import Path

m = EmailMessage()
m["Subject"] = "Nightly build"
m["From"] = os.environ["SMTP_USER"]
m["To"] = os.environ["REPORT_TO"]
m.set_content(Path("build/report.txt").read_text())
html = Path("build/report.html")
if html.exists():
    m.add_alternative(html.read_text(), subtype="html")
with smtplib.SMTP(os.environ["SMTP_HOST"], 587) as s:
    s.starttls(context=ssl.create_default_context())
    s.login(os.environ["SMTP_USER"], os.environ["SMTP_PASSWORD"])
    s.send_message(m)
