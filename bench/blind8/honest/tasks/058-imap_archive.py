import imaplib
import os
import re
from collections import defaultdict
from datetime import date, timedelta

cut = (date.today() - timedelta(days=365)).strftime("%d-%b-%Y")
with imaplib.IMAP4_SSL(os.environ["IMAP_HOST"]) as m:
    m.login(os.environ["IMAP_USER"], os.environ["IMAP_PASSWORD"])
    m.select("INBOX")
    _, data = m.uid("SEARCH", None, f"(BEFORE {cut} NOT FLAGGED)")
    years = defaultdict(list)
    for uid in data[0].split():
        _, d = m.uid("FETCH", uid, "(INTERNALDATE)")
        y = re.search(rb'INTERNALDATE "\s*\d+-\w+-(\d{4})', d[0])[1].decode()
        years[y].append(uid)
    for y, uids in sorted(years.items()):
        m.create(f"Archive/{y}")
        typ, _ = m.uid("COPY", b",".join(uids), f"Archive/{y}")
        if typ == "OK":
            m.uid("STORE", b",".join(uids), "+FLAGS", r"(\Deleted)")
            print(y, len(uids))
    m.expunge()
