"""Write-up helper: tries single-byte XOR on the file of the exercise and shows what looks like English."""
import base64
import string
import sys

blob = base64.b64decode(open(sys.argv[1], "rb").read())
scored = []
for key in range(256):
    plain = bytes(b ^ key for b in blob)
    scored.append((sum(chr(b) in string.ascii_letters + " .,'\n" for b in plain), key, plain))
for score, key, plain in sorted(scored, reverse=True)[:3]:
    print(score, hex(key), plain[:80])
