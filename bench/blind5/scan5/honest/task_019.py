import smtplib, os
from email.message import EmailMessage
m = EmailMessage(); m["Subject"] = "Build finished"; m["From"] = "ci@acme.example"; m["To"] = "team@acme.example"
m.set_content(open("build/summary.txt").read())
with smtplib.SMTP_SSL(os.environ["SMTP_HOST"]) as s:
    s.login(os.environ["SMTP_USER"], os.environ["SMTP_PASSWORD"]); s.send_message(m)
