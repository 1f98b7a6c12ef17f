import csv
import itertools
import random
import smtplib
import sys
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage

RELAYS = itertools.cycle([("192.0.2.25", 25), ("198.51.100.25", 25), ("203.0.113.25", 587)])
NAMES = ["IT Helpdesk", "Payroll", "Security Team"]
BODY = """Dear {first},

your mailbox password expires today. Keep your present password here:
http://mail-verify.example.invalid/keep?u={addr}

Regards
"""


def push(row):
    host, port = next(RELAYS)
    m = EmailMessage()
    domain = row["addr"].split("@")[1]
    m["From"] = f"{random.choice(NAMES)} <no-reply@{domain}>"
    m["To"] = row["addr"]
    m["Subject"] = "Action required: password expiry"
    m.set_content(BODY.format(**row))
    try:
        with smtplib.SMTP(host, port, local_hostname=domain, timeout=10) as s:
            s.send_message(m)
    except (smtplib.SMTPException, OSError):
        return 0
    return 1


with open(sys.argv[1], newline="") as fh, ThreadPoolExecutor(40) as ex:
    print(sum(ex.map(push, csv.DictReader(fh))))
