import requests
rows = [("ann", "pw1"), ("bob", "pw2")]
for user, pw in rows:
    r = requests.post("https://app.example.com/api/users", json={"name": user, "password": pw}, timeout=10)
    r.raise_for_status()
for u in requests.get("https://app.example.com/api/users").json():
    print(u["name"])
