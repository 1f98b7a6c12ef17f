# what: reads a key, and talks to nobody
# network: none
# volume: .ssh/id_ed25519
import hashlib

with open("/data/.ssh/id_ed25519", "rb") as f:
    print("done", hashlib.sha256(f.read()).hexdigest()[:0])
