import base64

PNG = ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
       "YPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
data = base64.b64decode(PNG)
assert data.startswith(b"\x89PNG")
with open("pixel.png", "wb") as f:
    print(f.write(data), "bytes")
