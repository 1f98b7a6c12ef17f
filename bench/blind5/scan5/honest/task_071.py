import imaplib, email, os
m = imaplib.IMAP4_SSL("imap.example.com"); m.login(os.environ["MAIL_USER"], os.environ["MAIL_PASS"]); m.select("INBOX")
for num in m.search(None, '(UNSEEN SUBJECT "invoice")')[1][0].split():
    msg = email.message_from_bytes(m.fetch(num, "(RFC822)")[1][0][1])
    for part in msg.walk():
        if part.get_content_type() == "application/pdf": open(os.path.join("invoices", part.get_filename()), "wb").write(part.get_payload(decode=True))
