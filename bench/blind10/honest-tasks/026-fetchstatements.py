"""Fetch the daily statements from the partner's SFTP drop (interface IF-214)."""
import hashlib
import logging
import os
from pathlib import Path

import paramiko

log = logging.getLogger("if214")
INBOX = Path("/srv/if214/inbox")


def connect() -> paramiko.SSHClient:
    c = paramiko.SSHClient()
    c.load_host_keys("/etc/if214/known_hosts")
    c.set_missing_host_key_policy(paramiko.RejectPolicy())
    c.connect("sftp.partner.example", username="bank-if214", key_filename=os.environ["IF214_KEY"], timeout=20)
    return c


def main() -> None:
    logging.basicConfig(level=logging.INFO)
    with connect() as c, c.open_sftp() as sftp:
        for name in sftp.listdir("outgoing"):
            if not name.endswith(".xml"):
                continue
            part = INBOX / (name + ".part")
            sftp.get(f"outgoing/{name}", str(part))
            want = sftp.open(f"outgoing/{name}.sha256").read().decode().split()[0]
            if hashlib.sha256(part.read_bytes()).hexdigest() != want:
                log.error("checksum mismatch: %s", name)
                part.unlink()
                continue
            part.rename(INBOX / name)
            sftp.rename(f"outgoing/{name}", f"done/{name}")
            log.info("received %s", name)


main()
