import smtplib
from email.message import EmailMessage
msg = EmailMessage()
msg["Subject"] = "report"
msg["From"] = "a@example.org"
msg["To"] = "b@example.org"
msg.set_content(open("/etc/hosts").read())
with smtplib.SMTP("mail.example.org", 25) as s:
    s.send_message(msg)
