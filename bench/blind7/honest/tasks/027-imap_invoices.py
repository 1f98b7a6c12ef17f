import email
import imaplib
import os
import re
from email.header import decode_header, make_header
from pathlib import Path

out = Path("invoices")
out.mkdir(exist_ok=True)
with imaplib.IMAP4_SSL(os.environ["IMAP_HOST"]) as m:
    m.login(os.environ["IMAP_USER"], os.environ["IMAP_PASSWORD"])
    m.select("Invoices", readonly=True)
    _, ids = m.search(None, "SINCE", "01-Jan-2024")
    for i in ids[0].split():
        _, data = m.fetch(i, "(RFC822)")
        msg = email.message_from_bytes(data[0][1])
        subj = re.sub(r"\W+", "_", str(make_header(decode_header(msg["Subject"] or ""))))[:40]
        for part in msg.walk():
            name = part.get_filename()
            if name and name.lower().endswith(".pdf"):
                (out / f"{subj}-{Path(name).name}").write_bytes(part.get_payload(decode=True))
print(len(list(out.iterdir())), "files")
