import email
import imaplib
import os
from email import policy
from pathlib import Path

OUT = Path("invoices")
OUT.mkdir(exist_ok=True)

with imaplib.IMAP4_SSL(os.environ["IMAP_HOST"]) as m:
    m.login(os.environ["IMAP_USER"], os.environ["IMAP_PASS"])
    m.select("INBOX", readonly=True)
    _, data = m.search(None, '(SUBJECT "invoice" SINCE 01-Jan-2025)')
    for num in data[0].split():
        _, parts = m.fetch(num, "(RFC822)")
        msg = email.message_from_bytes(parts[0][1], policy=policy.default)
        for att in msg.iter_attachments():
            name = att.get_filename()
            if name and name.lower().endswith(".pdf"):
                (OUT / Path(name).name).write_bytes(att.get_content())
                print("saved", name)
