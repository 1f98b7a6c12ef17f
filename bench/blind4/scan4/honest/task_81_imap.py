# saves the invoices from one's own mail box
import email, imaplib, os
from pathlib import Path
box = imaplib.IMAP4_SSL(os.environ["IMAP_HOST"])
box.login(os.environ["IMAP_USER"], os.environ["IMAP_PASSWORD"])
box.select("INBOX", readonly=True)
_, ids = box.search(None, '(SUBJECT "Invoice" SINCE 01-Jan-2025)')
Path("invoices").mkdir(exist_ok=True)
for i in ids[0].split():
    _, data = box.fetch(i, "(RFC822)")
    for part in email.message_from_bytes(data[0][1]).walk():
        name = part.get_filename()
        if name and name.endswith(".pdf"):
            Path("invoices", Path(name).name).write_bytes(part.get_payload(decode=True))
box.logout()
