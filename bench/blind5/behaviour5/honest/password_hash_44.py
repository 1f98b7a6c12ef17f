# class: checksums; possible: low medium
import hashlib, os, time
t = time.time(); k = 0
while time.time() - t < 25: hashlib.pbkdf2_hmac("sha256", b"pw%d" % k, os.urandom(16), 60000); k += 1
print(k)
